import type { Snapshot } from "./snapshot";

/** As the seeded packages call them: part of what is sold, like their names, and read at gateways that know no codes. */
const tierNames: Record<Snapshot["packageType"], string> = { 1: "普通会员", 2: "专业会员", 3: "" };

/** What the payer reads: the tier and the package, "专业会员 · 年度". */
export function subjectOf({ packageType, name }: Pick<Snapshot, "packageType" | "name">): string {
  const tier = tierNames[packageType];
  return tier === "" || name.includes(tier) ? name : `${tier} · ${name}`;
}
