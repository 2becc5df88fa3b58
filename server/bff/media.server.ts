import { setTimeout as sleep } from "node:timers/promises";
import { calls } from "~server/contract/calls/table";
import { convertedFormats } from "~server/contract/calls/tasks";
import { type DubFormat, dubExports } from "~server/contract/limits";
import { isPublicHost, publicLookup } from "../public-address";
import { type FilePlaces, findFileAddress, findMissingSetting } from "./file-address.server";
import { timelineByBytes, typeByBytes, zipByBytes } from "./file-signature.server";
import { type FileWatch, MediaFailure, type MediaFile, toMediaFile } from "./media-file.server";
import { createNetworkTransport, type Transport } from "./transport.server";
import { type Caller, createDeadline, headersOf, type UpstreamLogger } from "./upstream-call.server";

interface MediaClientOptions extends FilePlaces {
  transport: Transport;
  appId: string;
  maxBytes?: number;
  /** The longest time without progress. */
  idleMs?: number;
  /** Gets one line for each place whose files are not allowed; visitors can name any, so at most 20. */
  logger?: UpstreamLogger | undefined;
  /** Between two requests for a file that is still being encoded. */
  retryMs?: number;
}

/**
 * For further origins. One that is written as a private address is reached as it is set; every other name must resolve to
 * public addresses, at the connection itself.
 */
function createOutwardTransport(): Transport {
  const [direct, toPublic] = [createNetworkTransport(), createNetworkTransport(undefined, { lookup: publicLookup })];
  const isPrivate = (url: URL) => url.hostname === "localhost" || !isPublicHost(url);
  return (request) => (isPrivate(request.url) ? direct : toPublic)(request);
}

/** The authenticated file GET (specification section 7): streams sounds, pictures and timelines, with Range. */
export function createMediaClient({
  base,
  transport,
  appId,
  filePaths,
  fileOrigins,
  maxBytes = 512 * 2 ** 20,
  idleMs = 20_000,
  retryMs = 2000,
  logger,
}: MediaClientOptions) {
  const outward = fileOrigins.length > 0 ? createOutwardTransport() : transport;

  async function open(caller: Caller, { place, range, typeOf }: OpenOptions): Promise<MediaFile> {
    const deadline = createDeadline(idleMs, caller.signal);
    const headers: Record<string, string> = place.isOwn ? headersOf(caller, appId) : {};
    if (range && /^bytes=(\d+-\d*|-\d+)$/.test(range)) headers.range = range;
    try {
      const send = place.isOwn ? transport : outward;
      const incoming = await send({ method: "GET", url: place.url, headers, signal: deadline.signal });
      const file = await toMediaFile(incoming, { typeOf, maxBytes, onChunk: deadline.extend, onEnd: deadline.clear });
      if (!file.body) deadline.clear();
      return file;
    } catch (error) {
      deadline.clear();
      throw error;
    }
  }

  /** Asks again while the upstream encodes the file: half an hour of speech takes longer than a request may wait. */
  async function openEncoded(caller: Caller, options: OpenOptions): Promise<MediaFile> {
    const lastAt = Date.now() + encodingMaxMs;
    for (;;) {
      try {
        return await open(caller, options);
      } catch (error) {
        const isWaiting = error instanceof MediaFailure && error.status === 503 && options.place.isOwn;
        if (!isWaiting || Date.now() > lastAt || caller.signal?.aborted) throw error;
        await sleep(retryMs, undefined, caller.signal && { signal: caller.signal });
      }
    }
  }

  const refusedPlaces = new Set<string>();
  function logRefusedPlace(reference: string) {
    const missing = findMissingSetting(reference, { base, filePaths, fileOrigins });
    if (!missing || refusedPlaces.has(missing.value) || refusedPlaces.size >= 20) return;
    refusedPlaces.add(missing.value);
    logger?.warn(missing, "a file of the upstream is not shown: its address is not allowed by the setting");
  }

  const orNull = (file: Promise<MediaFile>) => file.catch(() => null);
  const failed = (onFailure: OnFailure | undefined) => (error: unknown) => {
    onFailure?.(error instanceof MediaFailure ? error.status : 502);
    return null;
  };

  return {
    /** Null on failure, after `onFailure` with the status for the browser. */
    async openFile(caller: Caller, request: FileRequest): Promise<MediaFile | null> {
      const { reference, range, isDownload = false, onFailure } = request;
      const place = findFileAddress(reference, { base, filePaths, fileOrigins });
      // Our upstream then answers the sound's download, which has the audible mark.
      if (isDownload && place?.isOwn && ownFiles.test(place.url.pathname)) place.url.searchParams.set("download", "1");
      if (!place) {
        logRefusedPlace(reference);
        return failed(onFailure)(new MediaFailure(404));
      }
      // The type of a timeline is checked by its start, so it is read without a range.
      const wanted = place.isTimeline
        ? { place, range: null, typeOf: timelineByBytes }
        : { place, range, typeOf: typeByBytes };
      const isEncoded = encodedOnDemand.test(place.url.pathname);
      return (isEncoded ? openEncoded : open)(caller, wanted).catch(failed(onFailure));
    },
    /** All data of the caller's account as a zip; null on failure. */
    openArchive(caller: Caller): Promise<MediaFile | null> {
      const place = { url: new URL(`${base}/api/v1${calls.userExport.path}`), isOwn: true };
      return orNull(open(caller, { place, range: null, typeOf: zipByBytes }));
    },
    /** A file of a shared page; null on failure. */
    openShareFile(caller: Caller, { shareId, part, range }: ShareFileRequest): Promise<MediaFile | null> {
      const query = new URLSearchParams({ shareId, part });
      const place = { url: new URL(`${base}/api/v1${calls.shareFile.path}?${query}`), isOwn: true };
      return orNull(open(caller, { place, range: part === "card" ? null : range, typeOf: shareTypes[part] }));
    },
    /** A finished dub; null on failure. */
    openExport(caller: Caller, dubbId: string, format: DubFormat): Promise<MediaFile | null> {
      const query = new URLSearchParams({ dubbId, format });
      const place = { url: new URL(`${base}/api/v1${calls.dubExport.path}?${query}`), isOwn: true };
      return orNull(openEncoded(caller, { place, range: null, typeOf: exportTypes[dubExports[format]] }));
    },
  };
}

const ownFiles = /\/api\/v1\/files\//;
const encodedOnDemand = new RegExp(`\\.(${convertedFormats.join("|")})$`);
const encodingMaxMs = 5 * 60_000;

type OnFailure = (status: number) => void;

export interface ShareFileRequest {
  shareId: string;
  part: "sound" | "timeline" | "film" | "card";
  range: string | null;
}

export interface FileOptions {
  /** The file is to be saved, not shown. */
  isDownload?: boolean | undefined;
  onFailure?: OnFailure | undefined;
}

interface FileRequest extends FileOptions {
  reference: string;
  range: string | null;
}

const soundByBytes = (bytes: Uint8Array) => /^audio\//.exec(typeByBytes(bytes) ?? "")?.input ?? null;
/** Subtitles are accepted as plain text, for download only. */
const subtitle = (bytes: Uint8Array) => (bytes.includes(0) ? null : "text/plain; charset=utf-8");

/** A shared page's preview picture, sound, film or timeline by its bytes. */
const shareTypes = { sound: soundByBytes, timeline: timelineByBytes, film: typeByBytes, card: typeByBytes };

const exportTypes = { sound: soundByBytes, archive: zipByBytes, text: subtitle };

interface OpenOptions extends Pick<FileWatch, "typeOf"> {
  place: { url: URL; isOwn: boolean };
  range: string | null;
}
