import type { Dub } from "~server/bff/generations.server";
import type { Refusal } from "~server/bff/refusal.server";

export interface Records {
  phase: "loading" | "failed" | "ready";
  /** The newest first, as far as it was read. */
  list: Dub[];
  total: number;
  refusal: Refusal | null;
  more: "idle" | "loading" | "failed";
}

export const isSame = (dub: Dub) => (other: Dub) => dub.dubbId === other.dubbId;
const madeAt = ({ createdAt }: Dub) => Date.parse(createdAt);

/** With a dub that moved on, or is new; one that lies behind what was read stays there, and so does a new one of a search. */
export function withDub(records: Records, dub: Dub, isSearch: boolean): Records {
  const { list, total } = records;
  if (list.some(isSame(dub))) return { ...records, list: list.map((one) => (isSame(dub)(one) ? dub : one)) };
  const last = list[list.length - 1];
  const isBehind = last !== undefined && list.length < total && madeAt(dub) <= madeAt(last);
  if (isBehind || isSearch) return records;
  return { ...records, list: [dub, ...list].sort((a, b) => madeAt(b) - madeAt(a)), total: total + 1 };
}
