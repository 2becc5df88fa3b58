import { randomUUID } from "node:crypto";
import { type CallData, type CallName, calls, dataSchemaOf, publicChanges, publicReads } from "../contract/calls/table";
import type { DubFormat } from "../contract/limits";
import { createPublicVersion, createSharedReads, type PublicVersion } from "../public-reads";
import { askCapabilities, asUnsupported, createCapabilities, type Offer } from "./capabilities.server";
import { type ConsoleClient, createConsoleClient } from "./console.server";
import { createEventsClient, type TaskEvent } from "./events.server";
import { createMediaClient, type FileOptions, type ShareFileRequest } from "./media.server";
import type { MediaFile } from "./media-file.server";
import { UpstreamRefusal } from "./refusal.server";
import {
  createEmbeddedTransport,
  createNetworkTransport,
  type EmbeddedFetch,
  networkTimeouts,
  untilAborted,
} from "./transport.server";
import { createUploader, type UploadName } from "./upload.server";
import {
  type Caller,
  createDeadline,
  headersOf,
  readAnswer,
  refused,
  type UpstreamLogger,
} from "./upstream-call.server";
import { type CallInput, type Sent, sendWithRetry, toOutgoing, withTotal } from "./upstream-request.server";

export type { CallInput };

/** The upstream on behalf of one visitor. `call`, `openEvents` and `upload` throw UpstreamRefusal. */
export interface Upstream {
  /** Any JSON call of the contract; the input is validated before it is sent. A GET request may make safe calls only. */
  call<N extends CallName>(name: N, input: CallInput<N>, idempotencyKey?: string): Promise<CallData<N>>;
  /** The price list as visitors get it, shared by all callers; an upstream elsewhere gets the caller's token. */
  readPrices(): Promise<CallData<"products">>;
  /** The upstream's extensions; never throws. */
  readOffer(): Promise<Offer>;
  /** Asks for it again at once. */
  renewOffer(): Promise<void>;
  /** A file of the upstream; null on any failure, after `onFailure` with the status. */
  openFile(reference: string, range?: string | null, options?: FileOptions): Promise<MediaFile | null>;
  /** All data of the account as a zip; null on any failure. */
  openArchive(): Promise<MediaFile | null>;
  /** A finished dub in an export format; null on any failure. */
  openExport(dubbId: string, format: DubFormat): Promise<MediaFile | null>;
  /** A file of a shared page; null on any failure. */
  openShareFile(request: ShareFileRequest): Promise<MediaFile | null>;
  /** Events of the caller's tasks after event number `since`, or from now on. Ends with the signal or the upstream. */
  openEvents(since: number | null, signal: AbortSignal): AsyncIterable<TaskEvent>;
  /** The operators' console. */
  console: ConsoleClient;
  /** Streams a multipart body to the upstream in constant memory. */
  upload<N extends UploadName>(name: N, request: Request): Promise<CallData<N>>;
}

export interface UpstreamOptions {
  /** Without it `fetch` answers in process. */
  baseUrl?: string | undefined;
  fetch?: EmbeddedFetch | undefined;
  appId: string;
  logger: UpstreamLogger;
  /** Locations of files besides `/api/v1/files/`: see FilePlaces. */
  filePaths?: string[];
  fileOrigins?: string[];
  /** Runs after every call. */
  observe?(call: { name: string; outcome: "answered" | "refused" | "failed"; seconds: number }): void;
  timeouts?: { connectMs: number; headersMs: number; totalMs: number };
  /** Public reads from before its latest change are not shared any longer. */
  publicVersion?: PublicVersion;
}

const embeddedBase = "http://embedded.invalid";
/** The time for all upstream calls of one request. */
export const upstreamBudgetMs = 22_000;
const defaultTimeouts = { ...networkTimeouts, totalMs: upstreamBudgetMs };

/** The client of /api/v1, over the network or in process. `as` binds it to a visitor; `caller` runs per call because a login changes the token. */
export function createUpstreamClient(options: UpstreamOptions): { as(caller: () => Caller): Upstream } {
  const { baseUrl, fetch, appId, logger, filePaths = [], fileOrigins = [], timeouts = defaultTimeouts } = options;
  if (!baseUrl && !fetch) throw new TypeError("an upstream needs baseUrl or fetch");
  const base = baseUrl ?? embeddedBase;
  const transport = baseUrl || !fetch ? createNetworkTransport(timeouts) : createEmbeddedTransport(fetch);
  const media = createMediaClient({
    base,
    transport,
    appId,
    filePaths,
    fileOrigins,
    logger: baseUrl ? logger : undefined,
  });
  const events = createEventsClient({
    base,
    appId,
    logger,
    transport: baseUrl || !fetch ? createNetworkTransport(timeouts, {}, null) : transport,
  });
  const uploader = createUploader({ base, transport, appId, logger });

  const capabilities = createCapabilities({ ask: () => askCapabilities({ base, transport, appId }) });
  const { publicVersion = createPublicVersion() } = options;
  const shared = createSharedReads<object>({ maxAgeMs: sharedMaxAgeMs, version: publicVersion });

  async function exchange<N extends CallName>(sent: Sent<N>, headers: Record<string, string>, signal: AbortSignal) {
    const outgoing = { ...toOutgoing(sent.name, sent.input, base), signal };
    Object.assign(outgoing.headers, headers, { accept: "application/json" });
    if (outgoing.method !== "GET") outgoing.headers["idempotency-key"] = sent.idempotencyKey ?? randomUUID();
    const data = await readAnswer(await sendWithRetry(transport, outgoing), dataSchemaOf(sent.name));
    if (hasUnreadable(data)) logger.warn({ call: sent.name, field: "voiceUrl" }, "a record is done and has no sound");
    return withTotal(data, sent.input);
  }

  /** A public read for all callers: without what is one caller's, and in its own time. */
  function readShared<N extends CallName>(sent: Sent<N>, { requestId }: Caller) {
    const load = async () => {
      const deadline = createDeadline(timeouts.totalMs, undefined);
      const answer = exchange(sent, headersOf({ requestId }, appId), deadline.signal);
      return (await answer.finally(deadline.clear)) as object;
    };
    const key = `${sent.name} ${JSON.stringify(sent.input)}`;
    return shared.read(key, load) as CallData<N> | Promise<CallData<N>>;
  }

  /** The public reads of this API do not look at the token, except for prices. */
  const isShareable = ({ token }: Caller, { name, input }: Sent<CallName>) =>
    publicReads.has(name) && (!token || (!baseUrl && name !== "products")) && !("keyword" in input);

  async function call<N extends CallName>(caller: Caller, sent: Sent<N>): Promise<CallData<N>> {
    const { name } = sent;
    capabilities.require(name);
    const { answerBy = Number.POSITIVE_INFINITY } = caller;
    // Whole milliseconds: a timer may fire a fraction of one early.
    const leftMs = Math.min(timeouts.totalMs, Math.floor(answerBy - performance.now()));
    const answer = leftMs > 0 && isShareable(caller, sent) ? readShared(sent, caller) : null;
    if (answer && !(answer instanceof Promise)) return answer;
    const deadline = createDeadline(Math.max(0, leftMs), caller.signal);
    const startedAt = performance.now();
    const report = (outcome: "answered" | "refused" | "failed") =>
      options.observe?.({ name, outcome, seconds: (performance.now() - startedAt) / 1000 });
    try {
      if (leftMs <= 0) throw new DOMException("no time is left for this call", "TimeoutError");
      if (caller.isReadOnly && !calls[name].isSafe) throw new UpstreamRefusal({ code: "bad-request" });
      const { signal } = deadline;
      const data = await (answer ? untilAborted(answer, signal) : exchange(sent, headersOf(caller, appId), signal));
      report("answered");
      return data;
    } catch (error) {
      report(error instanceof UpstreamRefusal ? "refused" : "failed");
      throw asUnsupported(error, name, capabilities) ?? refused(error, { name, caller, logger });
    } finally {
      deadline.clear();
      if (publicChanges.has(name)) publicVersion.advance();
    }
  }

  return {
    as: (caller) => ({
      call: (name, input, idempotencyKey) => call(caller(), { name, input, idempotencyKey }),
      readPrices: () => call(baseUrl ? caller() : { ...caller(), token: undefined }, { name: "products", input: {} }),
      readOffer: capabilities.read,
      renewOffer: capabilities.renew,
      openFile: (reference, range = null, options) => media.openFile(caller(), { reference, range, ...options }),
      openArchive: () => media.openArchive(caller()),
      openExport: (dubbId, format) => media.openExport(caller(), dubbId, format),
      openShareFile: (request) => media.openShareFile(caller(), request),
      async *openEvents(since, signal) {
        capabilities.require("taskEvents");
        try {
          yield* events.open(caller(), since, signal);
        } catch (error) {
          throw asUnsupported(error, "taskEvents", capabilities) ?? error;
        }
      },
      console: createConsoleClient({ base, transport, appId }, caller),
      async upload(name, request) {
        capabilities.require(name);
        return uploader.upload(caller(), name, request).catch((error: unknown) => {
          throw asUnsupported(error, name, capabilities) ?? error;
        });
      },
    }),
  };
}

/** A record, or one of a list, that says it is done and names no sound. */
function hasUnreadable(data: unknown): boolean {
  const { list, reason } = (data ?? {}) as { list?: unknown; reason?: unknown };
  return reason === "unreadable" || (Array.isArray(list) && list.some(hasUnreadable));
}

/** With the upstream's own second and a cached page's two, others see a change within five. */
const sharedMaxAgeMs = 1_500;
