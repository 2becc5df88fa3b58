import { type DestinationStream, type Logger, pino } from "pino";
import type { Config } from "../config";

const secretNames = ["token", "cookie", "authorization", "phone", "verifyCode", "password", "secret"];
const redact = { paths: secretNames.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: "…" };

/** 138****1234 for every full phone number in a text. */
export const maskPhones = (text: string) => text.replace(/(?<!\d)(1[3-9]\d)\d{4}(\d{4})(?!\d)/g, "$1****$2");

const slash = String.raw`(?:[\\/]|%(?:25)*(?:2f|5c))+`;
const encodedCode = (letter: string) => letter.charCodeAt(0).toString(16);
/** A word in either case, with letters plain or percent-encoded. */
const wordOf = (word: string) =>
  [...word]
    .map((letter) => `(?:${letter}|%(?:25)*(?:${[letter, letter.toUpperCase()].map(encodedCode).join("|")}))`)
    .join("");
const tokenLetter = String.raw`[^\s"'/\\.?#]`;
/**
 * Consent links, and those that hand an order over, also percent-encoded, in capitals, or with more slashes. Other paths
 * of payments are shorter than a token.
 */
const secretLinks = new RegExp(
  `(${slash}${wordOf("v")}${slash})${tokenLetter}+|(${slash}${wordOf("pay")}${slash})${tokenLetter}{32,}`,
  "gi",
);

/** A text for the log: without phone numbers and without the token of a secret link. */
export const maskText = (text: string) => maskPhones(text).replace(secretLinks, "$1$2…");

const encodedWordCharacter = /%(?:25)*(2d|3\d|4[1-9a-f]|5[0-9af]|6[1-9a-f]|7[0-9a])/gi;
const assetPath = /^\/assets\/[\w.-]+\.\w{2,5}$/;
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * A request's path for the log. Visitors mistype secret links in many ways, so everything as long as a token is masked,
 * wherever it stands: all but UUIDs and the names of assets.
 */
export function maskPath(path: string): string {
  if (assetPath.test(path)) return path;
  const decoded = path.replace(encodedWordCharacter, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return maskText(decoded).replace(/[\w-]{32,}/g, (run) => (uuid.test(run) ? run : "…"));
}

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
