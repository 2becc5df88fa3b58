import type { ProductRow } from "../../billing/products";
import { formatYuan } from "../format";
import { defineOperation, fieldOf, type Section, toSection } from "../operation";

const types = { vip: 1, svip: 2, pack: 3 } as const;
const typeNames = { 1: "vip", 2: "svip", 3: "pack" } as const;
const daysMax = 20_000;

const fill = { code: "code" };
const texts = { name: "name", description: "description", badge: "badge" };
const packageActs: Section["acts"] = [
  { name: "package-price", fill, when: "!withdrawnAt" },
  { name: "package-edit", fill: { ...fill, ...texts }, when: "!withdrawnAt" },
  { name: "package-withdraw", fill, when: "!withdrawnAt" },
  { name: "package-restore", fill, when: "withdrawnAt" },
];

const packageColumns =
  "number:number code=package type name description priceFen:fen=yuan originalFen:fen=original days:number monthly badge " +
  "withdrawnAt:time=withdrawn";

const toPackage = (row: ProductRow) => ({
  ...{ code: row.code, number: row.number, type: typeNames[row.package_type], name: row.name },
  ...{ description: row.description, badge: row.badge, days: row.days, monthly: row.monthly },
  ...{ priceFen: row.price_fen, originalFen: row.original_fen, withdrawnAt: row.withdrawn_at },
});

const codePattern = /^[a-z0-9][a-z0-9-]{0,39}$/;

const create = defineOperation({
  name: "package-create",
  summary: "put a package on sale",
  cli: { words: ["packages", "create"], takes: ["code"] },
  roles: ["finance"],
  needsFreshCode: true,
  notes: [
    "--days: for vip and svip. --number: place on the list, the end unless said otherwise; the pay dialog opens on the last.",
  ],
  fields: {
    code: fieldOf.text("CODE", 40),
    type: fieldOf.choice("--type", ["vip", "svip", "pack"]),
    name: fieldOf.text("--name", 40),
    price: fieldOf.yuan("--price"),
    days: fieldOf.count("--days", daysMax).optional(),
    monthly: fieldOf.flag("--monthly").optional(),
    number: fieldOf.count("--number", 1_000_000).optional(),
    description: fieldOf.text("--description").optional(),
    badge: fieldOf.text("--badge", 20).optional(),
    original: fieldOf.yuan("--original").optional(),
  },
  refine({ code, type, days, monthly, price, original }) {
    if (!codePattern.test(code)) return "CODE is lower-case letters, digits and hyphens";
    if (type === "pack" && (days !== undefined || monthly)) return "a pack lasts 30 days: no --days and no --monthly";
    if (type !== "pack" && days === undefined) return "--days is missing";
    return original !== undefined && original <= price ? "--original is more than --price" : null;
  },
  async run({ operations }, { code, type, name, price, ...more }) {
    const last = Math.max(0, ...(await operations.packages()).map(({ number }) => number));
    const created = {
      code,
      packageType: types[type],
      name,
      description: more.description ?? "",
      badge: more.badge ?? "",
      priceFen: price,
      originalFen: more.original ?? null,
      days: more.days ?? 0,
      monthly: more.monthly ?? false,
      number: more.number ?? last + 1,
    };
    await operations.createPackage(created);
    const message = `${code} is on sale for ${formatYuan(price)} yuan, number ${created.number}`;
    return { data: created, message };
  },
});

export const packageOperations = [
  defineOperation({
    name: "packages",
    summary: "list packages",
    cli: { words: ["packages", "list"], isDefault: true },
    roles: ["finance", "support"],
    isRead: true,
    notes: ["Orders keep the price and days they were made with. A withdrawn package stays in the list."],
    fields: {},
    async run({ operations }) {
      const rows = (await operations.packages()).map(toPackage);
      return { sections: [toSection("packages", packageColumns, rows, { acts: packageActs })], empty: "no packages" };
    },
  }),
  create,
  defineOperation({
    name: "package-price",
    summary: "change the price of a package, for future orders",
    cli: { words: ["packages", "price"], takes: ["code", "price"] },
    roles: ["finance"],
    needsFreshCode: true,
    fields: { code: fieldOf.text("CODE", 40), price: fieldOf.yuan("YUAN") },
    async run({ operations }, { code, price }) {
      await operations.changePackage("price-package", code, { price_fen: price });
      return { data: { code, priceFen: price }, message: `${code} costs ${formatYuan(price)} yuan from now on` };
    },
  }),
  defineOperation({
    name: "package-edit",
    summary: "change the name, text or badge of a package; what is not given stays, '' removes the text or badge",
    cli: { words: ["packages", "edit"], takes: ["code"] },
    roles: ["finance"],
    fields: {
      code: fieldOf.text("CODE", 40),
      name: fieldOf.text("--name", 40, { isEdited: true }).optional(),
      description: fieldOf.text("--description", 200, { isEdited: true, canBeEmpty: true }).optional(),
      badge: fieldOf.text("--badge", 20, { isEdited: true, canBeEmpty: true }).optional(),
    },
    refine: ({ name, description, badge }) =>
      name === undefined && description === undefined && badge === undefined
        ? "what shall change? --name, --description or --badge is missing"
        : null,
    async run({ operations }, { code, ...change }) {
      await operations.changePackage("edit-package", code, change);
      return { data: { code, ...change }, message: `${code} is changed` };
    },
  }),
  ...(["withdraw", "restore"] as const).map((way) =>
    defineOperation({
      name: `package-${way}`,
      summary: way === "withdraw" ? "take a package off sale" : "put a withdrawn package on sale again",
      cli: { words: ["packages", way], takes: ["code"] },
      roles: ["finance"],
      fields: { code: fieldOf.text("CODE", 40) },
      async run({ operations }, { code }) {
        await operations[`${way}Package`](code);
        const message = `${code} is ${way === "withdraw" ? "not sold any more" : "sold again"}`;
        return { data: { code, withdrawn: way === "withdraw" }, message };
      },
    }),
  ),
];
