import { bffPaths, call, createIdempotentCall } from "~/call";
import type { Allowance } from "~server/bff/accounts.server";
import type { ClonePage, CloneRecord } from "~server/bff/generations.server";
import type { CallRequest } from "~server/contract/calls/table";

/** All calls of this page throw `Refused`. */
export type CloneRequest = Pick<CallRequest<"cloneCreate">, "content"> & Partial<CallRequest<"cloneCreate">>;

/** `record` is null if the upstream neither returns nor lists it yet. */
export const createClone = createIdempotentCall<CloneRequest, { record: CloneRecord | null }>(bffPaths.clones);

export const deleteClones = (ids: string[]) => call(bffPaths.clones, { method: "DELETE", body: { ids } });

export interface CloneView {
  page: ClonePage | null;
  allowance: Allowance | null;
}

export const readView = (query: string, signal: AbortSignal) => call<CloneView>(bffPaths.clones + query, { signal });

/** Cancels a task and returns its characters, or retries a failed one. */
export const changeTask = (taskId: string, act: "cancel" | "retry") => call(bffPaths.tasks, { body: { taskId, act } });

interface Reading {
  /** UTF-16 offset in the content. */
  offset: number;
  candidates: string[];
  examples: string[];
}

export const readReadings = (content: string) => call<{ list: Reading[] }>(bffPaths.readings, { body: { content } });
