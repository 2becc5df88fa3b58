import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, open, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { type Dispatcher, fetch, type Response } from "undici";
import { z } from "zod/v4";

export interface Download {
  /** Tried in this order. */
  urls: readonly string[];
  /** Written to `path.part` until it is complete and correct. */
  path: string;
  bytes: number | null;
  sha256: string | null;
}

export interface DownloadOptions {
  dispatcher?: Dispatcher | undefined;
  signal?: AbortSignal | undefined;
  onProgress?(received: number, total: number | null): void;
  /** Without a byte for this long a connection counts as dead. */
  stallMs?: number;
  /** Further attempts at one address after network faults. */
  retries?: number;
  backoffMs?: number;
}

/** A reason not to ask this address again; `isFinal` false if another attempt may succeed. */
class DownloadError extends Error {
  constructor(
    message: string,
    readonly isFinal: boolean,
  ) {
    super(message);
    this.name = "DownloadError";
  }
}

const defaults = { stallMs: 30_000, retries: 4, backoffMs: 1_000 };

/**
 * Downloads a file and returns its SHA-256. Goes on with an earlier part if the server still has the same file, and with
 * the next address if one lacks the file or serves another. Throws after the last address; the part stays if it can be
 * continued.
 */
export async function downloadFile(file: Download, options: DownloadOptions = {}): Promise<{ sha256: string }> {
  const { retries, backoffMs } = { ...defaults, ...options };
  const faults: string[] = [];
  for (const url of file.urls) {
    for (let attempt = 0; ; attempt++) {
      options.signal?.throwIfAborted();
      try {
        return await downloadOnce(url, file, options);
      } catch (error) {
        options.signal?.throwIfAborted();
        const isFinal = error instanceof DownloadError && error.isFinal;
        if (isFinal || attempt >= retries) {
          faults.push(`${url}: ${reasonOf(error)}`);
          break;
        }
        await sleep(backoffMs * 2 ** attempt, undefined, { signal: options.signal });
      }
    }
  }
  throw new Error(`no mirror has it:\n${faults.map((fault) => `  ${fault}`).join("\n")}`);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

async function downloadOnce(url: string, file: Download, options: DownloadOptions): Promise<{ sha256: string }> {
  const part = await findPart(file.path, url);
  const stall = createStallTimer(options.stallMs ?? defaults.stallMs);
  const signal = options.signal ? AbortSignal.any([options.signal, stall.signal]) : stall.signal;
  try {
    const response = await ask(url, part, { ...(options.dispatcher && { dispatcher: options.dispatcher }), signal });
    const start = await startOf(response, part, file.path);
    const total = totalOf(response, start);
    if (file.bytes !== null && total !== null && total !== file.bytes)
      throw new DownloadError(`has ${total} bytes instead of ${file.bytes}`, true);
    await writeFile(`${file.path}.part.json`, JSON.stringify({ url, ...validatorsOf(response) }));
    const hash = await receive(response, { file, start, total: file.bytes ?? total, stall, options });
    return await complete(file, hash);
  } catch (error) {
    throw stall.signal.aborted ? new DownloadError(`no data for ${stall.ms / 1000} s`, false) : error;
  } finally {
    stall.clear();
  }
}

interface Part {
  size: number;
  etag?: string | undefined;
  lastModified?: string | undefined;
}

const partShape = z.object({ url: z.string(), etag: z.string().optional(), lastModified: z.string().optional() });

/** The part of this address that can be continued; null if there is none. */
async function findPart(path: string, url: string): Promise<Part | null> {
  const size = (await stat(`${path}.part`).catch(() => null))?.size ?? 0;
  const notes = await readFile(`${path}.part.json`, "utf8").then(JSON.parse, () => null);
  const parsed = partShape.safeParse(notes);
  if (size === 0 || !parsed.success || parsed.data.url !== url) return null;
  const { etag, lastModified } = parsed.data;
  return etag || lastModified ? { size, etag, lastModified } : null;
}

/** Weak tags do not promise the same bytes. */
function validatorsOf({ headers }: Response) {
  const etag = headers.get("etag") ?? undefined;
  return { etag: etag?.startsWith("W/") ? undefined : etag, lastModified: headers.get("last-modified") ?? undefined };
}

async function ask(url: string, part: Part | null, init: { signal: AbortSignal; dispatcher?: Dispatcher }) {
  const range: Record<string, string> = part
    ? { range: `bytes=${part.size}-`, "if-range": part.etag ?? part.lastModified ?? "" }
    : {};
  const response = await fetch(url, { ...init, headers: { "accept-encoding": "identity", ...range } });
  if (response.ok) return response;
  await response.body?.cancel();
  if (response.status === 416) throw new DownloadError("the part does not fit the file", false);
  const isFinal = response.status < 500 && response.status !== 429 && response.status !== 408;
  throw new DownloadError(`answers ${response.status}`, isFinal);
}

/** Offset at which the body starts. A part of another file, and one that the server does not continue, is dropped. */
async function startOf(response: Response, part: Part | null, path: string): Promise<number> {
  if (response.status !== 206) return 0;
  const { etag, lastModified } = validatorsOf(response);
  const start = Number(/^bytes (\d+)-/.exec(response.headers.get("content-range") ?? "")?.[1]);
  const isSame = part?.etag ? etag === part.etag : lastModified === part?.lastModified;
  if (part && isSame && start === part.size) return start;
  await response.body?.cancel();
  await dropPart(path);
  throw new DownloadError("the file has changed", false);
}

function totalOf({ status, headers }: Response, start: number): number | null {
  const whole = status === 206 ? headers.get("content-range")?.split("/")[1] : headers.get("content-length");
  const total = Number(whole ?? Number.NaN);
  return Number.isFinite(total) && total >= start ? total : null;
}

interface Receiving {
  file: Download;
  start: number;
  total: number | null;
  stall: { touch(): void };
  options: DownloadOptions;
}

async function receive(response: Response, { file, start, total, stall, options }: Receiving): Promise<Hash> {
  const hash = createHash("sha256");
  if (start > 0) for await (const bytes of createReadStream(`${file.path}.part`)) hash.update(bytes);
  let received = start;
  const output: FileHandle = await open(`${file.path}.part`, start > 0 ? "a" : "w");
  try {
    for await (const bytes of response.body ?? []) {
      stall.touch();
      received += bytes.length;
      if (total !== null && received > total) throw new DownloadError(`sends more than ${total} bytes`, true);
      hash.update(bytes);
      await output.write(bytes);
      options.onProgress?.(received, total);
    }
  } catch (error) {
    if (error instanceof DownloadError && error.isFinal) await dropPart(file.path);
    throw error;
  } finally {
    await output.close();
  }
  if (total !== null && received < total) throw new DownloadError(`ended ${total - received} bytes early`, false);
  return hash;
}

async function complete({ path, sha256, bytes }: Download, hash: Hash): Promise<{ sha256: string }> {
  const found = hash.digest("hex");
  const { size } = await stat(`${path}.part`);
  if ((sha256 !== null && found !== sha256) || (bytes !== null && size !== bytes)) {
    await dropPart(path);
    throw new DownloadError(`another file: SHA-256 ${found.slice(0, 12)}…, ${size} bytes`, true);
  }
  await rename(`${path}.part`, path);
  await rm(`${path}.part.json`, { force: true });
  return { sha256: found };
}

async function dropPart(path: string) {
  await rm(`${path}.part`, { force: true });
  await rm(`${path}.part.json`, { force: true });
}

function createStallTimer(ms: number) {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), ms);
  return { ms, signal: controller.signal, touch: () => timer.refresh(), clear: () => clearTimeout(timer) };
}
