import { randomUUID } from "node:crypto";
import { type CallData, type CallName, calls, dataSchemaOf, publicChanges, publicReads } from "../contract/calls/table";
import { createSharedReads, type PublicVersion } from "../public-reads";
import { asUnsupported, type createCapabilities } from "./capabilities.server";
import { toPayTarget } from "./pay-link.server";
import { UpstreamRefusal } from "./refusal.server";
import { type Transport, untilAborted } from "./transport.server";
import {
  type Caller,
  createDeadline,
  headersOf,
  readAnswer,
  refused,
  type UpstreamLogger,
} from "./upstream-call.server";
import { type Sent, sendWithRetry, toOutgoing, withTotal } from "./upstream-request.server";

/** With the upstream's own second and a cached page's two, others see a change within five. */
const sharedMaxAgeMs = 1_500;

/** Runs after every call. */
export type UpstreamObserver = (call: {
  name: string;
  outcome: "answered" | "refused" | "failed";
  seconds: number;
}) => void;

interface CallParts {
  /** Undefined for an upstream in process. */
  baseUrl: string | undefined;
  base: string;
  appId: string;
  logger: UpstreamLogger;
  observe: UpstreamObserver | undefined;
  transport: Transport;
  totalMs: number;
  capabilities: ReturnType<typeof createCapabilities>;
  publicVersion: PublicVersion;
}

/** The JSON calls of the contract, with their deadline, their shared reads and their refusals. */
export class UpstreamCalls {
  readonly #parts: CallParts;
  readonly #shared: ReturnType<typeof createSharedReads<object>>;

  constructor(parts: CallParts) {
    this.#parts = parts;
    this.#shared = createSharedReads<object>({ maxAgeMs: sharedMaxAgeMs, version: parts.publicVersion });
  }

  /** Throws UpstreamRefusal. */
  async call<N extends CallName>(caller: Caller, sent: Sent<N>): Promise<CallData<N>> {
    const { name } = sent;
    const { appId, logger, capabilities, publicVersion } = this.#parts;
    capabilities.require(name);
    const { answerBy = Number.POSITIVE_INFINITY } = caller;
    // Whole milliseconds: a timer may fire a fraction of one early.
    const leftMs = Math.min(this.#parts.totalMs, Math.floor(answerBy - performance.now()));
    const answer = leftMs > 0 && this.#isShareable(caller, sent) ? this.#readShared(sent, caller) : null;
    if (answer && !(answer instanceof Promise)) return answer;
    const deadline = createDeadline(Math.max(0, leftMs), caller.signal);
    const startedAt = performance.now();
    const report = (outcome: "answered" | "refused" | "failed") =>
      this.#parts.observe?.({ name, outcome, seconds: (performance.now() - startedAt) / 1000 });
    try {
      if (leftMs <= 0) throw new DOMException("no time is left for this call", "TimeoutError");
      if (caller.isReadOnly && !calls[name].isSafe) {
        // A caller that treats every refusal alike would hide this.
        logger.warn({ call: name }, "a GET request asked for a call that changes data");
        throw new UpstreamRefusal({ code: "bad-request" });
      }
      const { signal } = deadline;
      const own = () => this.#exchange(sent, headersOf(caller, appId), signal);
      const data = await (answer ? untilAborted(answer, signal) : own());
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

  /** The public reads of this API do not look at the token, except for prices. */
  #isShareable({ token }: Caller, { name, input }: Sent<CallName>) {
    return publicReads.has(name) && (!token || (!this.#parts.baseUrl && name !== "products")) && !("keyword" in input);
  }

  /** A public read for all callers: without what is one caller's, and in its own time. */
  #readShared<N extends CallName>(sent: Sent<N>, { requestId }: Caller) {
    const { appId, totalMs } = this.#parts;
    const load = async () => {
      const deadline = createDeadline(totalMs, undefined);
      const answer = this.#exchange(sent, headersOf({ requestId }, appId), deadline.signal);
      return (await answer.finally(deadline.clear)) as object;
    };
    const key = `${sent.name} ${JSON.stringify(sent.input)}`;
    return this.#shared.read(key, load) as CallData<N> | Promise<CallData<N>>;
  }

  async #exchange<N extends CallName>(sent: Sent<N>, headers: Record<string, string>, signal: AbortSignal) {
    const { base, transport, logger } = this.#parts;
    const outgoing = { ...toOutgoing(sent.name, sent.input, base), signal };
    Object.assign(outgoing.headers, headers, { accept: "application/json" });
    if (outgoing.method !== "GET") outgoing.headers["idempotency-key"] = sent.idempotencyKey ?? randomUUID();
    const data = await readAnswer(await sendWithRetry(transport, outgoing), dataSchemaOf(sent.name));
    if (hasUnreadable(data)) logger.warn({ call: sent.name, field: "voiceUrl" }, "a record is done and has no sound");
    if (isUnpayable(data, sent.name))
      logger.warn({ call: sent.name, field: "url" }, "an order cannot be paid at its url");
    return withTotal(data, sent.input);
  }
}

/** An order whose url is missing, or HTML without a form that may be sent. */
function isUnpayable(data: unknown, name: CallName): boolean {
  if (name !== "orderCreate" && name !== "handoverPay") return false;
  const { payUrl, form } = toPayTarget((data as CallData<"orderCreate">).url);
  return payUrl === "" && !form;
}

/** A record, or one of a list, that says it is done and names no sound. */
function hasUnreadable(data: unknown): boolean {
  const { list, reason } = (data ?? {}) as { list?: unknown; reason?: unknown };
  return reason === "unreadable" || (Array.isArray(list) && list.some(hasUnreadable));
}
