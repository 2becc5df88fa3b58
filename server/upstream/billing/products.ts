import type { Selectable } from "kysely";
import { type Product } from "~server/contract/calls/payments";
import type { Db } from "../db/database";
import type { ProductTable } from "../db/tables/billing";
import { AppError } from "../errors";
import { readQuota, usedOf } from "./characters/quota";
import { monthly, packCharacters } from "./characters/split";
import { readMembership } from "./membership/grants";
import { type Tier, tierAt } from "./membership/membership";
import { toSeconds } from "./month";
import { tierOf } from "./snapshot";

export type ProductRow = Selectable<ProductTable>;

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

/** What is on sale, with what the caller used this month; null is nobody in particular. */
export async function listProducts(db: Db, accountId: string | null, now: Date): Promise<Product[]> {
  const rows = await db.selectFrom("product").selectAll().where("withdrawn_at", "is", null).orderBy("number").execute();
  const tier = accountId ? tierAt(await readMembership(db, accountId, now), toSeconds(now)) : null;
  const used = accountId ? usedOf(await readQuota(db, accountId, now)) : 0;
  return rows.map((row) => toProduct(row, { tier, used }));
}

const perUnit = 10_000;

function toProduct(row: ProductRow, { tier, used }: { tier: Tier | null; used: number }): Product {
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
    monthChar: row.package_type === 3 ? 0 : monthly[tierOf[row.package_type]],
    packChar: row.package_type === 3 ? packCharacters[tier ?? "vip"] : 0,
    originalPrice: row.original_fen ?? undefined,
  };
}
