import type { Insertable } from "kysely";
import type { Db } from "../database";
import type { BillingTables } from "../tables/billing";

const nothing = { badge: "", original_fen: null, monthly: false, withdrawn_at: null };

// The pay dialog preselects the last package, and each of its tabs the last of its type: a month.
const products: Insertable<BillingTables["product"]>[] = [
  {
    ...nothing,
    code: "pack-1",
    number: 1,
    package_type: 3,
    name: "加量包",
    description: "普通会员加 6 万字，专业会员加 11 万字，30 天内有效，可叠加",
    price_fen: 3900,
    days: 0,
  },
  {
    ...nothing,
    code: "vip-month",
    number: 7,
    package_type: 1,
    name: "月度",
    description: "每天约 1.30 元",
    price_fen: 3900,
    days: 30,
    monthly: true,
  },
  {
    ...nothing,
    code: "vip-quarter",
    number: 6,
    package_type: 1,
    name: "季度",
    description: "省 18 元",
    price_fen: 9900,
    original_fen: 11_700,
    days: 90,
  },
  {
    ...nothing,
    code: "vip-year",
    number: 5,
    package_type: 1,
    name: "年度",
    description: "省 119 元",
    badge: "最划算",
    price_fen: 34_900,
    original_fen: 46_800,
    days: 365,
  },
  {
    ...nothing,
    code: "svip-month",
    number: 4,
    package_type: 2,
    name: "月度",
    description: "每天约 3.30 元",
    price_fen: 9900,
    days: 30,
    monthly: true,
  },
  {
    ...nothing,
    code: "svip-quarter",
    number: 3,
    package_type: 2,
    name: "季度",
    description: "省 38 元",
    price_fen: 25_900,
    original_fen: 29_700,
    days: 90,
  },
  {
    ...nothing,
    code: "svip-year",
    number: 2,
    package_type: 2,
    name: "年度",
    description: "省 289 元",
    badge: "最划算",
    price_fen: 89_900,
    original_fen: 118_800,
    days: 365,
  },
];

/** Inserts missing packages; existing ones may have been changed by operators and stay as they are. */
export async function seedProducts(db: Db): Promise<void> {
  await db
    .insertInto("product")
    .values(products)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
