import { rmSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import type { Dispatcher } from "undici";
import { z } from "zod/v4";

/** A reason not to ask this address again; `isFinal` false if another attempt may succeed. */
export class DownloadError extends Error {
  constructor(
    message: string,
    readonly isFinal: boolean,
  ) {
    super(message);
    this.name = "DownloadError";
  }
}

export type DownloadAnswer = Pick<Dispatcher.ResponseData, "statusCode" | "headers">;

/** What an earlier attempt left, and the marks by which a server knows the file again. */
export interface AnswerPart {
  size: number;
  etag?: string | undefined;
  lastModified?: string | undefined;
}

const headerOf = ({ headers }: DownloadAnswer, name: string) => [headers[name]].flat()[0];

/** Weak tags do not promise the same bytes. */
export function validatorsOf(answer: DownloadAnswer) {
  const etag = headerOf(answer, "etag");
  return { etag: etag?.startsWith("W/") ? undefined : etag, lastModified: headerOf(answer, "last-modified") };
}

/** Asks for what is missing. */
export function headersFor(part: AnswerPart | null): Record<string, string> {
  const range: Record<string, string> = part
    ? { range: `bytes=${part.size}-`, "if-range": part.etag ?? part.lastModified ?? "" }
    : {};
  return { "accept-encoding": "identity", ...range };
}

/** Throws DownloadError for an answer that is not the file. */
export function requireFile(answer: DownloadAnswer): void {
  const { statusCode } = answer;
  if (statusCode === 416) throw new DownloadError("the part does not fit the file", false);
  if (statusCode < 200 || statusCode >= 300) {
    const isFinal = statusCode < 500 && statusCode !== 429 && statusCode !== 408;
    throw new DownloadError(`answers ${statusCode}`, isFinal);
  }
  if ((headerOf(answer, "content-encoding") ?? "identity") !== "identity")
    throw new DownloadError("answers compressed bytes, which were not asked for", true);
  if (headerOf(answer, "content-type")?.startsWith("text/html"))
    throw new DownloadError("answers a page instead of the file", true);
}

/** Offset at which the body starts. A part of another file, and one that the server does not continue, is dropped. */
export function startOf(answer: DownloadAnswer, part: AnswerPart | null, path: string): number {
  if (answer.statusCode !== 206) return 0;
  const { etag, lastModified } = validatorsOf(answer);
  const start = Number(/^bytes (\d+)-/.exec(headerOf(answer, "content-range") ?? "")?.[1]);
  const isSame = part?.etag ? etag === part.etag : lastModified === part?.lastModified;
  if (part && isSame && start === part.size) return start;
  dropPart(path);
  throw new DownloadError("the file has changed", false);
}

/** The size of the whole file; null if the server does not say it. */
export function totalOf(answer: DownloadAnswer, start: number): number | null {
  const isPart = answer.statusCode === 206;
  const whole = isPart ? headerOf(answer, "content-range")?.split("/")[1] : headerOf(answer, "content-length");
  const total = Number(whole ?? Number.NaN);
  return Number.isFinite(total) && total >= start ? total : null;
}

/** Removes what arrived of a file, and its marks. */
export function dropPart(path: string) {
  rmSync(`${path}.part`, { force: true });
  rmSync(`${path}.part.json`, { force: true });
}

const partShape = z.object({ url: z.string(), etag: z.string().optional(), lastModified: z.string().optional() });

/** The part of this address that can be continued; null if there is none. */
export async function findPart(path: string, url: string): Promise<AnswerPart | null> {
  const size = (await stat(`${path}.part`).catch(() => null))?.size ?? 0;
  const notes = await readFile(`${path}.part.json`, "utf8").then(JSON.parse, () => null);
  const parsed = partShape.safeParse(notes);
  if (size === 0 || !parsed.success || parsed.data.url !== url) return null;
  const { etag, lastModified } = parsed.data;
  return etag || lastModified ? { size, etag, lastModified } : null;
}
