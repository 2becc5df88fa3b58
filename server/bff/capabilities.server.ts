import { setTimeout as sleep } from "node:timers/promises";
import type { Capabilities } from "../contract/calls/capabilities";
import { type CallName, calls } from "../contract/calls/table";
import { MissingCall, UpstreamRefusal } from "./refusal.server";
import type { Transport } from "./transport.server";
import { createDeadline, headersOf, readAnswer } from "./upstream-call.server";

/** The upstream's features that pages need; sent to the browser. */
export interface SiteCapabilities {
  /** Extension calls that the upstream lacks: their buttons are hidden. */
  missing: CallName[];
  /** The engine of cloned voices: "embedded", "kokoro" or another; "" if the upstream does not say. */
  engine: string;
  /** Every file carries the AI-content label. */
  isLabelled: boolean;
  /** Companies that recordings are sent to: "dashscope", "minimax-abroad". */
  vendors: string[];
}

interface CapabilitiesOptions {
  /** Null if the upstream has no such call. Throws if it cannot be reached. */
  ask(): Promise<Capabilities | null>;
  now?: () => number;
  /** Lifetime of a cached answer. */
  cacheMs?: number;
  /** The same while a natural voice is on its way. */
  changingMs?: number;
  /** The pause after a failure. */
  pauseMs?: number;
  /** Longest time that a page waits for the first answer. */
  waitMs?: number;
}

const unknown: SiteCapabilities = { missing: [], engine: "", isLabelled: false, vendors: [] };
const extensions = (Object.keys(calls) as CallName[]).filter((name) => calls[name].confidence === "O");
const isExtension = (name: CallName) => calls[name].confidence === "O";

/**
 * The upstream's extensions, cached for ten minutes and refreshed in the background. Without the call an upstream has
 * none; an extension that answers 404 counts as missing for the same time.
 */
export function createCapabilities({
  ask,
  now = Date.now,
  cacheMs = 600_000,
  changingMs = 5_000,
  pauseMs = 5_000,
  waitMs = 1_000,
}: CapabilitiesOptions) {
  let known: SiteCapabilities = unknown;
  let freshUntil = 0;
  let asking: Promise<void> | null = null;
  const missingUntil = new Map<CallName, number>();

  async function refresh() {
    try {
      known = toSiteCapabilities(await ask());
      const isChanging = known.engine === "embedded" && !known.missing.includes("naturalVoice");
      freshUntil = now() + (isChanging ? changingMs : cacheMs);
    } catch {
      freshUntil = now() + pauseMs;
    } finally {
      asking = null;
    }
  }
  const isLearnedMissing = (name: CallName) => (missingUntil.get(name) ?? 0) > now();

  return {
    /** The cached answer; waits at most `waitMs` for the first one. Never throws. */
    async read(): Promise<SiteCapabilities> {
      if (now() >= freshUntil) asking ??= refresh();
      if (asking && known === unknown) await Promise.race([asking, sleep(waitMs, undefined, { ref: false })]);
      const missing = extensions.filter((name) => known.missing.includes(name) || isLearnedMissing(name));
      return { ...known, missing };
    },
    /** Asks again at once, after a sign that the answer has changed. Never throws. */
    async renew(): Promise<void> {
      await asking;
      asking ??= refresh();
      await asking;
    },
    /** Throws `unsupported` for a call that the upstream lacks. */
    require(name: CallName): void {
      if (!isExtension(name)) return;
      if (known.missing.includes(name) || isLearnedMissing(name)) throw new UpstreamRefusal({ code: "unsupported" });
    },
    /** Records that the upstream lacks the call. */
    learnMissing(name: CallName): void {
      missingUntil.set(name, now() + cacheMs);
    },
  };
}
type CapabilityStore = ReturnType<typeof createCapabilities>;

/** `unsupported` if the error says that the upstream lacks the extension, which is recorded; otherwise null. */
export function asUnsupported(error: unknown, name: CallName, store: CapabilityStore): UpstreamRefusal | null {
  if (!(error instanceof MissingCall) || !isExtension(name)) return null;
  store.learnMissing(name);
  return new UpstreamRefusal({ code: "unsupported" }, { cause: error });
}

const askMs = 3_000;

interface Upstream {
  base: string;
  transport: Transport;
  appId: string;
}

/** Null for an upstream without the call. Throws if it cannot be reached or fails temporarily. */
export async function askCapabilities({ base, transport, appId }: Upstream): Promise<Capabilities | null> {
  const deadline = createDeadline(askMs, undefined);
  try {
    const url = new URL(`${base}/api/v1${calls.capabilities.path}`);
    const headers = { ...headersOf({}, appId), accept: "application/json" };
    const incoming = await transport({ method: "GET", url, headers, signal: deadline.signal });
    const { status } = incoming;
    if (status === 429 || (status >= 500 && status !== 501)) {
      incoming.body.destroy();
      throw new Error(`capabilities answered ${status}`);
    }
    return await readAnswer(incoming, calls.capabilities.data).catch((error: unknown) => {
      if (error instanceof UpstreamRefusal) return null;
      throw error;
    });
  } finally {
    deadline.clear();
  }
}

function toSiteCapabilities(answer: Capabilities | null): SiteCapabilities {
  if (!answer) return { ...unknown, missing: extensions };
  const { engine, isLabelled, vendors } = answer;
  return { engine, isLabelled, vendors, missing: extensions.filter((name) => !answer.calls.includes(name)) };
}
