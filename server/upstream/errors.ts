import type { ErrorCode } from "~server/contract/codes";
import { type LengthFault } from "~server/contract/length-limits";

interface Options {
  cause?: unknown;
  /** HTTP status; business answers travel in the envelope with 200. */
  status?: number;
  data?: Record<string, unknown>;
  /** When the same call may succeed; travels as `Retry-After`. */
  retryAfterSeconds?: number;
}

/** No room: the disk's, the quota's, the database's, or a disk that only reads any more. */
export function isStorageFull(error: unknown): boolean {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return ["ENOSPC", "EDQUOT", "EROFS", "53100"].some((full) => full === code);
}

export const storageFull = (cause: unknown): AppError =>
  new AppError("storage-full", "no room to store files", { status: 507, cause });

/** What a domain throws when a call cannot go on; `api` turns it into an envelope, nobody else catches it. */
export class AppError extends Error {
  readonly status: number;
  readonly data: Record<string, unknown> | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    readonly code: ErrorCode,
    message: string,
    { cause, status = 200, data, retryAfterSeconds }: Options = {},
  ) {
    super(message, { cause });
    this.name = "AppError";
    this.status = status;
    this.data = data;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Throws pauses-too-long or sound-too-long with `need` and `limit` in seconds, and the `line` where one is at fault. */
export function refuseLength(fault: LengthFault | null): void {
  if (!fault) return;
  const { code, need, limit, line } = fault;
  throw new AppError(code, `${need} s where ${limit} s are allowed`, {
    data: { need, limit, ...(line !== null && { line }) },
  });
}
