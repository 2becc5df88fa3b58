import type { Selectable } from "kysely";
import type { ProductTable } from "../db/tables/billing";
import { AppError } from "../errors";
import { packCharacters } from "./characters/split";
import type { Tier } from "./membership/membership";

/** A package as it was when it was ordered; whatever happens to it later, this is what is owed and granted. */
export interface Snapshot {
  code: string;
  name: string;
  packageType: 1 | 2 | 3;
  priceFen: number;
  days: number;
  monthly: boolean;
  /** Of an add-on pack. */
  characters: number;
}

export const tierOf: Record<1 | 2, Tier> = { 1: "vip", 2: "svip" };

/** A pack holds what the buyer's tier gives; throws entitlement `{reason: "tier"}` for buyers without one. */
export function toSnapshot(product: Selectable<ProductTable>, tier: Tier | null): Snapshot {
  const isPack = product.package_type === 3;
  if (isPack && !tier) {
    throw new AppError("entitlement", "packs are for members", { data: { reason: "tier" } });
  }
  return {
    code: product.code,
    name: product.name,
    packageType: product.package_type,
    priceFen: product.price_fen,
    days: product.days,
    monthly: product.monthly,
    characters: isPack && tier ? packCharacters[tier] : 0,
  };
}
