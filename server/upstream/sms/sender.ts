import { type Dispatcher, request } from "undici";
import { AppError } from "../errors";

/** A message of an approved template. */
export interface TemplateMessage {
  phone: string;
  /** As the provider names it. */
  template: string;
  /** By name, in the template's order: Tencent Cloud numbers them. */
  parameters: Record<string, string>;
}

/** Port for providers of text messages to phones in mainland China. */
export interface SmsSender {
  readonly name: "demo" | "aliyun" | "tencent";
  /** The code is shown on the page instead of being sent. */
  readonly showsCodes: boolean;
  /**
   * Resolves once the provider has taken the message. Throws AppError: `too-many` for a provider's
   * limit per phone, `request-failed` (502) for everything else. Error messages contain neither phone nor code.
   */
  send(message: { phone: string; code: string }): Promise<void>;
  /** The same for other templates than the code's. */
  sendTemplate(message: TemplateMessage): Promise<void>;
}

/** Sends nothing: the page shows the code. Throws in production mode. */
export function createDemoSender(mode: "demo" | "production"): SmsSender {
  if (mode === "production") throw new Error("login codes are not shown in production mode");
  return { name: "demo", showsCodes: true, async send() {}, async sendTemplate() {} };
}

interface SmsRequest {
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
export async function ask({ origin, path, headers, body, dispatcher }: SmsRequest): Promise<unknown> {
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

const neverConnected = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"]);

/** Whether the phone has certainly got nothing. Where a connection ends without an answer it may have. */
export function isUnsent(error: unknown): boolean {
  if (!(error instanceof AppError)) return false;
  const { cause } = error as { cause?: { code?: string } };
  return cause === undefined || neverConnected.has(cause.code ?? "");
}

export const failed = (what: string, cause?: unknown) => new AppError("request-failed", what, { status: 502, cause });
export const tooMany = (what: string) => new AppError("too-many", what, { status: 429 });
