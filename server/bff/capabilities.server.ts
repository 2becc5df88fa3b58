import type { Capabilities } from "../contract/calls/envelope";
import { type CallName, calls } from "../contract/calls/table";
import { MissingCall, UpstreamRefusal } from "./refusal.server";
import type { Transport } from "./transport.server";
import { createDeadline, headersOf, readAnswer } from "./upstream-call.server";

/** What pages may offer and say of the upstream; goes to the browser as it is. */
export interface Offer {
  /** Extension calls that are known to be missing: their buttons are hidden. */
  missing: CallName[];
  /** "embedded" where the built-in engine alone speaks; "" where the upstream does not say so. */
  engine: string;
  /** The upstream promises the AI-content label in every file. */
  isLabelled: boolean;
}

interface Options {
  /** Asks the upstream; null where it has no such call. Throws when it cannot be reached. */
  ask(): Promise<Capabilities | null>;
  now?: () => number;
  /** How long an answer counts. */
  keptMs?: number;
  /** How long after a failure nothing is asked. */
  pauseMs?: number;
  /** How long a page waits for the first answer. */
  patienceMs?: number;
}

const unknown: Offer = { missing: [], engine: "", isLabelled: false };
const extensions = (Object.keys(calls) as CallName[]).filter((name) => calls[name].confidence === "O");
const isExtension = (name: CallName) => calls[name].confidence === "O";

/**
 * What the upstream offers beyond the specification: asked once and kept for ten minutes, read anew in the background.
 * An upstream without the call keeps the specification alone. Any extension that answers 404 counts as missing as long.
 */
export function createCapabilities({
  ask,
  now = Date.now,
  keptMs = 600_000,
  pauseMs = 5_000,
  patienceMs = 1_000,
}: Options) {
  let known: Offer = unknown;
  let freshUntil = 0;
  let asking: Promise<void> | null = null;
  const missingUntil = new Map<CallName, number>();

  async function refresh() {
    try {
      known = toOffer(await ask());
      freshUntil = now() + keptMs;
    } catch {
      freshUntil = now() + pauseMs;
    } finally {
      asking = null;
    }
  }
  const isLearnedMissing = (name: CallName) => (missingUntil.get(name) ?? 0) > now();

  return {
    /** What is known; waits at most `patienceMs` for the first answer. Never throws. */
    async read(): Promise<Offer> {
      if (now() >= freshUntil) asking ??= refresh();
      if (asking && known === unknown) await Promise.race([asking, later(patienceMs)]);
      const missing = extensions.filter((name) => known.missing.includes(name) || isLearnedMissing(name));
      return { ...known, missing };
    },
    /** Throws `unsupported` for a call that is known to be missing, so that it is not sent. */
    require(name: CallName): void {
      if (!isExtension(name)) return;
      if (known.missing.includes(name) || isLearnedMissing(name)) throw new UpstreamRefusal({ code: "unsupported" });
    },
    /** The upstream answered that it has no such call. */
    learnMissing(name: CallName): void {
      missingUntil.set(name, now() + keptMs);
    },
  };
}
type CapabilityStore = ReturnType<typeof createCapabilities>;

/** The refusal of an extension that the upstream turned out not to have, which is remembered; else null. */
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

/** The upstream's own answer; null for one that answers anything else. Throws where it cannot be reached or fails for a while. */
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

function toOffer(answer: Capabilities | null): Offer {
  if (!answer) return { ...unknown, missing: extensions };
  const { engine, isLabelled } = answer;
  return { engine, isLabelled, missing: extensions.filter((name) => !answer.calls.includes(name)) };
}

function later(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
