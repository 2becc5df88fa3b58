import type { Selectable } from "kysely";
import type { Product } from "~server/contract/calls/payments";
import { monthlyCharacters, packCharacters } from "../../contract/limits";
import type { Db } from "../db/database";
import type { BillingTables } from "../db/tables/billing";
import { AppError } from "../errors";
import type { Tier } from "./membership";

export type ProductRow = Selectable<BillingTables["product"]>;

/** A package that can be bought. Throws not-found. */
export async function getProduct(db: Db, code: string): Promise<ProductRow> {
  const product = await db
    .selectFrom("product")
    .selectAll()
    .where("code", "=", code)
    .where("withdrawn_at", "is", null)
    .executeTakeFirst();
  if (!product) throw new AppError("not-found", "no such package");
  return product;
}

/** The buyer's running tier, and the characters they used this month. */
export interface Buyer {
  tier: Tier | null;
  used: number;
}

/** Packages on sale. An anonymous caller is a buyer without a tier who used nothing. */
export async function listProducts(db: Db, buyer: Buyer): Promise<Product[]> {
  const rows = await db.selectFrom("product").selectAll().where("withdrawn_at", "is", null).orderBy("number").execute();
  return rows.map((row) => toProduct(row, buyer));
}

const perUnit = 10_000;

function toProduct(row: ProductRow, { tier, used }: Buyer): Product {
  return {
    pCount: String(row.number),
    tagMark: row.name,
    price: row.price_fen,
    discountMark: row.description,
    cornerMark: row.badge,
    pCode: row.code,
    packageType: row.package_type,
    usedChar: used / perUnit,
    days: row.days,
    monthChar: row.package_type === 3 ? 0 : monthlyCharacters[tierOf[row.package_type]],
    packChar: row.package_type === 3 ? packCharacters[tier ?? "vip"] : 0,
    originalPrice: row.original_fen ?? undefined,
  };
}

/** A package at the time of its order. Later changes of the package do not change what is owed and granted. */
export interface Snapshot {
  code: string;
  name: string;
  packageType: 1 | 2 | 3;
  priceFen: number;
  days: number;
  monthly: boolean;
  /** Characters of an add-on pack. */
  characters: number;
}

export const tierOf: Record<1 | 2, Tier> = { 1: "vip", 2: "svip" };

/** A pack holds what the buyer's tier gives; throws entitlement `{reason: "tier"}` for buyers without one. */
export function toSnapshot(product: Selectable<BillingTables["product"]>, tier: Tier | null): Snapshot {
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
