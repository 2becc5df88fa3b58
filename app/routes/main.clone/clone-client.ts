import { bffPaths } from "~/bff-paths";
import type { Allowance } from "~server/bff/accounts.server";
import type { ClonePage, CloneRecord } from "~server/bff/generations.server";
import type { Refusal } from "~server/bff/refusal.server";
import type { CallRequest } from "~server/contract/calls/table";

type Answer<T> = ({ ok: true } & T) | { ok: false; refusal: Refusal };

/** What a clone is made of; `createClone` takes it as it is. */
export type CloneOrder = Pick<CallRequest<"cloneCreate">, "content"> & Partial<CallRequest<"cloneCreate">>;

/** Starts one; sent again under the same key it starts nothing twice. `record` is null where it is not in the list yet. */
export const createClone = (order: CloneOrder, key: string) =>
  send<{ record: CloneRecord | null }>(bffPaths.clones, { method: "POST", input: order, key });

export const deleteClones = (ids: string[]) => send<object>(bffPaths.clones, { method: "DELETE", input: { ids } });

/** What the page shows now. */
export const readView = (query: string, signal: AbortSignal) =>
  answerOf<{ page: ClonePage | null; allowance: Allowance | null }>(fetch(bffPaths.clones + query, { signal }));

/** Stops one and gives back what it holds, or runs a failed one again. */
export const changeTask = (taskId: string, act: "cancel" | "retry") =>
  send<object>(bffPaths.tasks, { method: "POST", input: { taskId, act } });

interface Reading {
  /** UTF-16 place in the content. */
  offset: number;
  candidates: string[];
  examples: string[];
}

export const askReadings = (content: string) =>
  send<{ list: Reading[] }>(bffPaths.readings, { method: "POST", input: { content } });

interface Sending {
  method: "POST" | "DELETE";
  input: object;
  key?: string;
}

function send<T extends object>(path: string, { method, input, key }: Sending): Promise<Answer<T>> {
  const headers = { "content-type": "application/json", ...(key && { "idempotency-key": key }) };
  return answerOf(fetch(path, { method, headers, body: JSON.stringify(input) }));
}

async function answerOf<T extends object>(sent: Promise<Response>): Promise<Answer<T>> {
  const response = await sent.catch(() => null);
  if (!response) return { ok: false, refusal: { code: "network" } };
  const answer = (await response.json().catch(() => null)) as (T & { refusal?: Refusal }) | null;
  if (response.ok && answer && !answer.refusal) return { ok: true, ...answer };
  return { ok: false, refusal: answer?.refusal ?? { code: "request-failed" } };
}
