import { createHash, type Hash } from "node:crypto";
import { closeSync, createReadStream, openSync, writeFileSync, writeSync } from "node:fs";
import { rename, rm, stat } from "node:fs/promises";
import { Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { Agent, type Dispatcher, interceptors, stream } from "undici";
import {
  type DownloadAnswer,
  DownloadError,
  dropPart,
  findPart,
  headersFor,
  requireFile,
  startOf,
  totalOf,
  validatorsOf,
} from "./answers";

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
  /** A connection that brings less than `leastBytes` in this time counts as dead. */
  stallMs?: number;
  /** The most of a file whose size the manifest does not state. */
  unstatedMaxBytes?: number;
  /** Further attempts at one address that has answered, after network faults. */
  retries?: number;
  backoffMs?: number;
}

/** No other address would help. */
export class StorageFull extends Error {}

const defaults = { stallMs: 30_000, retries: 4, backoffMs: 1_000, unstatedMaxBytes: 64 * 2 ** 20 };
const leastBytes = 16_384;
const maxRedirections = 5;

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
        if (error instanceof StorageFull) throw error;
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
  const hash = part && (await hashOf(`${file.path}.part`));
  const stall = createStallTimer(options.stallMs ?? defaults.stallMs);
  const signal = options.signal ? AbortSignal.any([options.signal, stall.signal]) : stall.signal;
  const most = file.bytes ?? options.unstatedMaxBytes ?? defaults.unstatedMaxBytes;
  const receipt: DownloadReceipt = { hash: createHash("sha256"), received: 0, total: null, most };
  let hasAnswered = false;
  const receive = (answer: DownloadAnswer): Writable => {
    hasAnswered = true;
    stall.touch(leastBytes);
    requireFile(answer);
    const start = startOf(answer, part, file.path);
    const total = totalOf(answer, start);
    if (file.bytes !== null && total !== null && total !== file.bytes)
      throw new DownloadError(`has ${total} bytes instead of ${file.bytes}`, true);
    if (total !== null && total > most) throw new DownloadError(`has ${total} bytes, more than ${most}`, true);
    if (start > 0 && hash) receipt.hash = hash;
    Object.assign(receipt, { received: start, total: file.bytes ?? total });
    writeFileSync(`${file.path}.part.json`, JSON.stringify({ url, ...validatorsOf(answer) }));
    return createPartWriter({ path: file.path, isContinued: start > 0, receipt, stall, options });
  };
  try {
    const dispatcher = following(options.dispatcher);
    await stream(url, { method: "GET", dispatcher, signal, headers: headersFor(part) }, receive);
    const { received, total } = receipt;
    if (total !== null && received < total) throw new DownloadError(`ended ${total - received} bytes early`, false);
    return await completeFile(file, receipt.hash);
  } catch (error) {
    if (error instanceof DownloadError) throw error;
    const reason = stall.signal.aborted ? `hardly any data for ${stall.ms / 1000} s` : reasonOf(error);
    if ((error as NodeJS.ErrnoException | null)?.code === "ENOSPC") {
      dropPart(file.path);
      throw new StorageFull("the disk is full");
    }
    // An address that does not even answer is left for the next at once.
    throw new DownloadError(reason, !hasAnswered);
  } finally {
    stall.clear();
  }
}

/** Not the global one, which may be that of Node's own version of undici. */
const direct = new Agent();
const following = (dispatcher: Dispatcher = direct) => dispatcher.compose(interceptors.redirect({ maxRedirections }));

interface DownloadReceipt {
  hash: Hash;
  received: number;
  total: number | null;
  most: number;
}

interface PartWriting {
  path: string;
  isContinued: boolean;
  receipt: DownloadReceipt;
  stall: { touch(bytes: number): void };
  options: DownloadOptions;
}

/**
 * Writes synchronously and never asks for a pause: undici's parser fails an assertion, outside of every promise, where a
 * connection closes while it is paused.
 */
function createPartWriter({ path, isContinued, receipt, stall, options }: PartWriting): Writable {
  const output = openSync(`${path}.part`, isContinued ? "a" : "w");
  const take = (bytes: Buffer) => {
    stall.touch(bytes.length);
    receipt.received += bytes.length;
    const { received, total, most } = receipt;
    if (received > (total ?? most)) {
      dropPart(path);
      throw new DownloadError(`sends more than ${total ?? most} bytes`, true);
    }
    receipt.hash.update(bytes);
    for (let at = 0; at < bytes.length; ) at += writeSync(output, bytes, at);
    options.onProgress?.(received, total);
  };
  return new Writable({
    highWaterMark: Number.MAX_SAFE_INTEGER,
    write(bytes: Buffer, _encoding, done) {
      try {
        take(bytes);
        done();
      } catch (error) {
        done(error as Error);
      }
    },
    destroy(error, done) {
      closeSync(output);
      done(error);
    },
  });
}

export async function hashOf(path: string): Promise<Hash> {
  const hash = createHash("sha256");
  for await (const bytes of createReadStream(path)) hash.update(bytes);
  return hash;
}

/** Gives `path.part` its name if it is the file that is wanted. */
export async function completeFile({ path, bytes, sha256 }: Omit<Download, "urls">, hash: Hash) {
  const found = hash.digest("hex");
  const { size } = await stat(`${path}.part`);
  if ((sha256 !== null && found !== sha256) || (bytes !== null && size !== bytes)) {
    dropPart(path);
    throw new DownloadError(`another file: SHA-256 ${found.slice(0, 12)}…, ${size} bytes`, true);
  }
  await rename(`${path}.part`, path);
  await rm(`${path}.part.json`, { force: true });
  return { sha256: found };
}

function createStallTimer(ms: number) {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), ms);
  let brought = 0;
  return {
    ms,
    signal: controller.signal,
    touch(bytes: number) {
      brought += bytes;
      if (brought < leastBytes) return;
      brought = 0;
      timer.refresh();
    },
    clear: () => clearTimeout(timer),
  };
}
