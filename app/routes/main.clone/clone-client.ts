import { bffPaths, call, createIdempotentCall } from "~/call";
import type { CloneRecord, CloneView } from "~server/bff/generations.server";
import type { CallRequest } from "~server/contract/calls/table";

/** All calls of this page throw `Refused`. */
export type CloneRequest = Pick<CallRequest<"cloneCreate">, "content"> & Partial<CallRequest<"cloneCreate">>;

/** `record` is null if the upstream neither returns nor lists it yet. */
export const createClone = createIdempotentCall<CloneRequest, { record: CloneRecord | null }>(bffPaths.clones);

export const readView = (query: string, signal: AbortSignal) => call<CloneView>(bffPaths.clones + query, { signal });
