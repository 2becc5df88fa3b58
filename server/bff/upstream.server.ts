import type { CallData, CallName } from "../contract/calls/table";
import type { DubFormat } from "../contract/limits";
import { createPublicVersion, type PublicVersion } from "../public-reads";
import { askCapabilities, asUnsupported, createCapabilities, type SiteCapabilities } from "./capabilities.server";
import { type ConsoleClient, createConsoleClient } from "./console.server";
import { createEventsClient, type TaskEvent } from "./events.server";
import { createMediaClient, type FileOptions, type ShareFileRequest } from "./media.server";
import type { MediaFile } from "./media-file.server";
import {
  createEmbeddedTransport,
  createNetworkTransport,
  type EmbeddedFetch,
  networkTimeouts,
} from "./transport.server";
import { createUploader, type UploadName } from "./upload.server";
import type { Caller, UpstreamLogger } from "./upstream-call.server";
import { UpstreamCalls, type UpstreamObserver } from "./upstream-calls.server";
import type { CallInput } from "./upstream-request.server";

export type { CallInput };

/** The upstream on behalf of one visitor. `call`, `openEvents` and `upload` throw UpstreamRefusal. */
export interface Upstream {
  /** Any JSON call of the contract; the input is validated before it is sent. A GET request may make safe calls only. */
  call<N extends CallName>(name: N, input: CallInput<N>, idempotencyKey?: string): Promise<CallData<N>>;
  /** The price list as visitors get it, shared by all callers; an upstream elsewhere gets the caller's token. */
  readPrices(): Promise<CallData<"products">>;
  /** The upstream's extensions; never throws. */
  readCapabilities(): Promise<SiteCapabilities>;
  /** Asks for it again at once. */
  renewCapabilities(): Promise<void>;
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
  observe?: UpstreamObserver;
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
  const { observe, publicVersion = createPublicVersion() } = options;
  const parts = { baseUrl, base, transport, appId, logger, observe, capabilities, publicVersion };
  const own = new UpstreamCalls({ ...parts, totalMs: timeouts.totalMs });

  async function* openEvents(caller: Caller, since: number | null, signal: AbortSignal) {
    capabilities.require("taskEvents");
    try {
      yield* events.open(caller, since, signal);
    } catch (error) {
      throw asUnsupported(error, "taskEvents", capabilities) ?? error;
    }
  }

  return {
    as: (caller) => ({
      call: (name, input, idempotencyKey) => own.call(caller(), { name, input, idempotencyKey }),
      readPrices: () =>
        own.call(baseUrl ? caller() : { ...caller(), token: undefined }, { name: "products", input: {} }),
      readCapabilities: capabilities.read,
      renewCapabilities: capabilities.renew,
      openFile: (reference, range = null, options) => media.openFile(caller(), { reference, range, ...options }),
      openArchive: () => media.openArchive(caller()),
      openExport: (dubbId, format) => media.openExport(caller(), dubbId, format),
      openShareFile: (request) => media.openShareFile(caller(), request),
      openEvents: (since, signal) => openEvents(caller(), since, signal),
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
