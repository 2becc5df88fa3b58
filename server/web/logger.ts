import { type DestinationStream, type Logger, pino } from "pino";
import type { Config } from "../config";

const secret = ["token", "cookie", "authorization", "phone", "verifyCode", "password", "secret"];
const redact = { paths: secret.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: "…" };

/** 138****1234 for every full phone number in a text. */
export const maskPhones = (text: string) => text.replace(/(?<!\d)(1[3-9]\d)\d{4}(\d{4})(?!\d)/g, "$1****$2");

const slash = String.raw`(?:[\\/]|%(?:25)*(?:2f|5c))+`;
/** The page of a consent link, also percent-encoded, in capitals, or with more slashes. */
const consentLinks = new RegExp(`(${slash}(?:v|%(?:25)*[57]6)${slash})[^\\s"'/\\\\.?#]+`, "gi");

/** A text or a request's path for the log: without phone numbers and without the token of a consent link. */
export const maskText = (text: string) => maskPhones(text).replace(consentLinks, "$1…");

/** Structured lines on standard output; JSON strings neutralise line breaks. No token, cookie or full phone gets in. */
export function createLogger({ logLevel }: Pick<Config, "logLevel">, destination?: DestinationStream): Logger {
  const options = {
    level: logLevel,
    redact,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: errorFields },
  };
  return destination ? pino(options, destination) : pino(options);
}

function errorFields(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: maskText(String(error)) };
  const { name, message, stack, cause } = error;
  return {
    name,
    message: maskText(message),
    stack: stack && maskText(stack),
    ...(cause !== undefined && { cause: errorFields(cause) }),
  };
}
