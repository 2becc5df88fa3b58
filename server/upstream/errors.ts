import type { ErrorCode } from "~server/contract/codes";
import type { LengthFault } from "~server/contract/length-limits";

interface AppErrorOptions {
  cause?: unknown;
  /** HTTP status; business failures answer 200 with a code in the envelope. */
  status?: number;
  data?: Record<string, unknown>;
  /** The `Retry-After` header. */
  retryAfterSeconds?: number;
}

/** The disk, its quota or the database is full, or the disk is read-only. */
export function isStorageFull(error: unknown): boolean {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return ["ENOSPC", "EDQUOT", "EROFS", "53100"].some((full) => full === code);
}

export const storageFull = (cause: unknown): AppError =>
  new AppError("storage-full", "storage is full", { status: 507, cause });

/** Thrown by domains when a call cannot continue; only `api` catches it and answers an envelope. */
export class AppError extends Error {
  readonly status: number;
  readonly data: Record<string, unknown> | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    readonly code: ErrorCode,
    message: string,
    { cause, status = 200, data, retryAfterSeconds }: AppErrorOptions = {},
  ) {
    super(message, { cause });
    this.name = "AppError";
    this.status = status;
    this.data = data;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/**
 * The database ended or refused the connection. A write may have happened all the same, because the answer to a commit can
 * be lost: repeat it under its idempotency key, or look for what it wrote.
 */
export class DatabaseUnavailable extends Error {
  override name = "DatabaseUnavailable";
}

/** Throws pauses-too-long or sound-too-long with `need` and `limit` in seconds, and the `line` where one is at fault. */
export function refuseLength(fault: LengthFault | null): void {
  if (!fault) return;
  const { code, need, limit, line } = fault;
  throw new AppError(code, `${need} s where ${limit} s are allowed`, {
    data: { need, limit, ...(line !== null && { line }) },
  });
}

/** Throws entitlement `{reason: "tier"}` for more characters than the tier speaks at a time; in the top one text-too-long. */
export function refuseCharacters(isTop: boolean, excess: { need: number; limit: number; line?: number }): never {
  const message = `${excess.need} characters where ${excess.limit} are allowed at a time`;
  if (isTop) throw new AppError("text-too-long", message, { data: excess });
  throw new AppError("entitlement", message, { data: { ...excess, reason: "tier" } });
}
