import { bffPaths } from "~/bff-paths";
import { createWishKey } from "~/wish-key";
import type { Dub, DubPage } from "~server/bff/generations.server";
import type { Refusal } from "~server/bff/refusal.server";
import type { Polyphone } from "./editor/pieces";

/** What the server refused, or what became of a request that never arrived. */
export class Refused extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal.code);
  }
}

async function ask<Answer>(path: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(path, init).catch((cause: unknown) => {
    throw init.signal?.aborted ? cause : new Refused({ code: "network" });
  });
  const answer = (await response.json().catch(() => null)) as (Answer & { refusal?: Refusal }) | null;
  if (response.ok && answer && !answer.refusal) return answer;
  throw new Refused(answer?.refusal ?? { code: "request-failed" });
}

const send = <Answer>(path: string, body: unknown, { method = "POST", key = "", signal }: Sending = {}) =>
  ask<Answer>(path, {
    method,
    body: JSON.stringify(body),
    headers: { "content-type": "application/json", ...(key && { "idempotency-key": key }) },
    ...(signal && { signal }),
  });

interface Sending {
  method?: "POST" | "DELETE";
  key?: string;
  signal?: AbortSignal;
}

/** What a dub of these lines would take now. */
export interface Quote {
  costChar: number;
  /** Lines that are to be paid, from 0. */
  changed: number[];
  tier: "vip" | "svip" | null;
  limit: number;
  /** Null where the upstream does not say. */
  left: number | null;
}

/** A line as the calls take it. */
export interface DubLine {
  roleId: string;
  content: string;
  speed: number;
  genre: number;
}

interface Wish {
  title: string;
  lines: DubLine[];
  isTake: boolean;
}

const unanswered = createWishKey();
const isLost = (error: unknown) => error instanceof Refused && error.refusal.code === "network";

/** Each throws Refused. */
export const dubClient = {
  quote: (lines: DubLine[], signal: AbortSignal) => send<Quote>(bffPaths.dubQuote, { lines }, { signal }),
  /**
   * An answer that gets lost is asked for once more by itself; however often, it is one dub, paid once. Null where the
   * dub is made but not in the list yet.
   */
  async create(wish: Wish) {
    const ask = (key: string) => send<{ dub: Dub | null }>(bffPaths.dubs, wish, { key });
    return (await unanswered.send(wish, { ask, isLost })).dub;
  },
  find: async (taskId: string) => (await ask<{ dub: Dub | null }>(bffPaths.dub(taskId))).dub,
  list: (page: number, keyword: string, signal?: AbortSignal) =>
    ask<DubPage>(`${bffPaths.dubs}?${new URLSearchParams({ page: String(page), keyword })}`, signal ? { signal } : {}),
  remove: (dubbId: string) => send<object>(bffPaths.dubs, { dubbId }, { method: "DELETE" }),
  change: (taskId: string, act: "cancel" | "retry") => send<object>(bffPaths.tasks, { taskId, act }),
  sample: async (content: string, roleId: string) =>
    (await send<{ sample: { voiceUrl: string } }>(bffPaths.samples, { content, roleId })).sample.voiceUrl,
  keepWord: (word: string, pinyin: string) => send<object>(bffPaths.dictionary, { word, pinyin }),
};

/** null when it could not be asked: the underlines come later. */
export const findPolyphones = (content: string): Promise<Polyphone[] | null> =>
  send<{ list: Polyphone[] }>(bffPaths.readings, { content }).then(
    ({ list }) => list,
    () => null,
  );
