import { type Dispatcher, request } from "undici";
import { AppError } from "../../errors";

export interface Question {
  origin: string;
  /** Path and query. */
  path: string;
  headers: Record<string, string>;
  body: string;
  /** For tests. */
  dispatcher?: Dispatcher | undefined;
}

/** The user waits for the response. */
const timeoutMs = 8000;
const answerMaxBytes = 64 * 1024;

/** Sends a request and parses the JSON of any status. Throws `request-failed` without valid JSON. */
export async function ask({ origin, path, headers, body, dispatcher }: Question): Promise<unknown> {
  try {
    const answer = await request(`${origin}${path}`, {
      method: "POST",
      headers,
      body,
      signal: AbortSignal.timeout(timeoutMs),
      ...(dispatcher && { dispatcher }),
    });
    let text = "";
    for await (const part of answer.body.setEncoding("utf8")) {
      text += part;
      if (text.length > answerMaxBytes) throw new Error("the provider's answer is too long");
    }
    return JSON.parse(text);
  } catch (cause) {
    throw failed("the provider of text messages gave no answer", cause);
  }
}

export const failed = (what: string, cause?: unknown) => new AppError("request-failed", what, { status: 502, cause });
export const tooMany = (what: string) => new AppError("too-many", what, { status: 429 });
