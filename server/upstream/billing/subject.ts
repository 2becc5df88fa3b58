import type { Snapshot } from "./products";

const tierNames: Record<Snapshot["packageType"], string> = { 1: "普通会员", 2: "专业会员", 3: "" };

/** Shown to the payer: the tier and the package. */
export function subjectOf({ packageType, name }: Pick<Snapshot, "packageType" | "name">): string {
  const tier = tierNames[packageType];
  return tier === "" || name.includes(tier) ? name : `${tier} · ${name}`;
}
