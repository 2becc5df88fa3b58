/** In order of use: a tier's month, then add-on packs. Only one of the tiers has a month at a time. */
export const buckets = ["svip", "vip", "pack"] as const;
export type Bucket = (typeof buckets)[number];
export type PerBucket = Record<Bucket, number>;

/** Characters a tier gives in a calendar month. */
export const monthly: Record<"vip" | "svip", number> = { vip: 50_000, svip: 100_000 };
/** Characters of one add-on pack, by the tier of who buys it. */
export const packCharacters: Record<"vip" | "svip", number> = { vip: 60_000, svip: 110_000 };

export const sum = (of: PerBucket): number => of.svip + of.vip + of.pack;

/** Takes `need` from what is left, bucket by bucket; null where all together has too little. */
export function split(need: number, left: PerBucket): PerBucket | null {
  const taken: PerBucket = { svip: 0, vip: 0, pack: 0 };
  let missing = need;
  for (const bucket of buckets) {
    taken[bucket] = Math.min(missing, left[bucket]);
    missing -= taken[bucket];
  }
  return missing === 0 ? taken : null;
}
