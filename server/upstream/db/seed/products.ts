import type { Db } from "../database";

/** An initial package; prices in fen. Operators may change them and add others. */
export interface SeedProduct {
  code: string;
  number: number;
  /** 1 member · 2 professional · 3 add-on characters. */
  packageType: 1 | 2 | 3;
  name: string;
  description: string;
  badge: string;
  priceFen: number;
  originalFen: number | null;
  days: number;
  monthly: boolean;
}

const nothing = { badge: "", originalFen: null, monthly: false };

// The pay dialog preselects the last package, and each of its tabs the last of its type: a month.
const products: SeedProduct[] = [
  {
    ...nothing,
    code: "pack-1",
    number: 1,
    packageType: 3,
    name: "加量包",
    description: "普通会员加 6 万字，专业会员加 11 万字，30 天内有效，可叠加",
    priceFen: 3900,
    days: 0,
  },
  {
    ...nothing,
    code: "vip-month",
    number: 7,
    packageType: 1,
    name: "月度",
    description: "每天约 1.30 元",
    priceFen: 3900,
    days: 30,
    monthly: true,
  },
  {
    ...nothing,
    code: "vip-quarter",
    number: 6,
    packageType: 1,
    name: "季度",
    description: "省 18 元",
    priceFen: 9900,
    originalFen: 11_700,
    days: 90,
  },
  {
    ...nothing,
    code: "vip-year",
    number: 5,
    packageType: 1,
    name: "年度",
    description: "省 119 元",
    badge: "最划算",
    priceFen: 34_900,
    originalFen: 46_800,
    days: 365,
  },
  {
    ...nothing,
    code: "svip-month",
    number: 4,
    packageType: 2,
    name: "月度",
    description: "每天约 3.30 元",
    priceFen: 9900,
    days: 30,
    monthly: true,
  },
  {
    ...nothing,
    code: "svip-quarter",
    number: 3,
    packageType: 2,
    name: "季度",
    description: "省 38 元",
    priceFen: 25_900,
    originalFen: 29_700,
    days: 90,
  },
  {
    ...nothing,
    code: "svip-year",
    number: 2,
    packageType: 2,
    name: "年度",
    description: "省 289 元",
    badge: "最划算",
    priceFen: 89_900,
    originalFen: 118_800,
    days: 365,
  },
];

/** Inserts missing packages; existing ones may have been changed by operators and stay as they are. */
export async function seedProducts(db: Db): Promise<void> {
  const rows = products.map((product) => ({
    code: product.code,
    number: product.number,
    package_type: product.packageType,
    name: product.name,
    description: product.description,
    badge: product.badge,
    price_fen: product.priceFen,
    original_fen: product.originalFen,
    days: product.days,
    monthly: product.monthly,
    withdrawn_at: null,
  }));
  await db
    .insertInto("product")
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
