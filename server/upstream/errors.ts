import type { ErrorCode } from "~server/contract/codes";

interface Options {
  cause?: unknown;
  /** HTTP status; business answers travel in the envelope with 200. */
  status?: number;
  data?: Record<string, unknown>;
}

/** What a domain throws when a call cannot go on; `api` turns it into an envelope, nobody else catches it. */
export class AppError extends Error {
  readonly status: number;
  readonly data: Record<string, unknown> | undefined;

  constructor(
    readonly code: ErrorCode,
    message: string,
    { cause, status = 200, data }: Options = {},
  ) {
    super(message, { cause });
    this.name = "AppError";
    this.status = status;
    this.data = data;
  }
}
