import type { NewPackage } from "../../billing/operations";
import type { ProductRow } from "../../billing/products";
import { type Act, type Command, type CommandInput, UsageError } from "../command";
import { formatTable, formatTime, formatYuan, toTime } from "../format";
import { parseChoice, parseCount, parseYuan, refuseOptions, required, requireWords } from "../parse";

const types = { vip: 1, svip: 2, pack: 3 } as const;
const typeNames = { 1: "vip", 2: "svip", 3: "pack" } as const;
const daysMax = 20_000;

const creating = ["type", "name", "price", "days", "number", "description", "badge", "original"];

export const packages: Command = {
  summary: "list packages, create one, change a price, take one off sale",
  forms: [
    "[list]",
    "create CODE --type vip|svip|pack --name NAME --price YUAN [--days N] [--monthly] [--number N]\n" +
      "      [--description TEXT] [--badge TEXT] [--original YUAN]",
    "price CODE YUAN",
    "withdraw CODE",
  ],
  notes: [
    "Orders keep the price and days they were made with. A withdrawn package stays in the list and is not sold again.",
    "--days: for vip and svip. --number: place on the list, the end unless said otherwise; the pay dialog opens on the last.",
  ],
  values: creating,
  flags: ["monthly"],
  read(input) {
    const [name = "list", ...words] = input.words;
    const action = parseChoice(name, ["list", "create", "price", "withdraw"] as const, "packages");
    if (action !== "create") refuseOptions(input, `packages ${action}`);
    return actions[action]({ ...input, words });
  },
};

const actions: Record<"list" | "create" | "price" | "withdraw", (input: CommandInput) => Act> = {
  list({ words }) {
    requireWords(words, []);
    return async ({ operations }) => {
      const rows = await operations.packages();
      return { data: rows.map(toListed), text: rows.length === 0 ? "no packages" : formatTable(rows.map(toRow)) };
    };
  },
  create(input) {
    const draft = readDraft(input);
    return async ({ operations }) => {
      const last = Math.max(0, ...(await operations.packages()).map(({ number }) => number));
      const created = { ...draft, number: draft.number ?? last + 1 };
      await operations.createPackage(created);
      const text = `${created.code} is on sale for ${formatYuan(created.priceFen)} yuan, number ${created.number}`;
      return { data: created, text };
    };
  },
  price({ words }) {
    const [code = "", price = ""] = requireWords(words, ["CODE", "YUAN"]);
    const priceFen = parseYuan(price);
    return async ({ operations }) => {
      await operations.pricePackage(code, priceFen);
      return { data: { code, priceFen }, text: `${code} costs ${formatYuan(priceFen)} yuan from now on` };
    };
  },
  withdraw({ words }) {
    const [code = ""] = requireWords(words, ["CODE"]);
    return async ({ operations }) => {
      await operations.withdrawPackage(code);
      return { data: { code, withdrawn: true }, text: `${code} is not sold any more` };
    };
  },
};

function readDraft({
  words,
  values,
  flags,
}: CommandInput): Omit<NewPackage, "number"> & { number: number | undefined } {
  const [code = ""] = requireWords(words, ["CODE"]);
  if (!/^[a-z0-9][a-z0-9-]{0,39}$/.test(code)) throw new UsageError("CODE is lower-case letters, digits and hyphens");
  const type = parseChoice(required(values.type, "--type"), ["vip", "svip", "pack"], "--type");
  const isPack = type === "pack";
  if (isPack && (values.days !== undefined || flags.monthly)) {
    throw new UsageError("a pack is of its month: no --days and no --monthly");
  }
  const priceFen = parseYuan(required(values.price, "--price"));
  const originalFen = values.original === undefined ? null : parseYuan(values.original);
  if (originalFen !== null && originalFen <= priceFen) throw new UsageError("--original is more than --price");
  return {
    code,
    packageType: types[type],
    name: required(values.name, "--name"),
    description: values.description ?? "",
    badge: values.badge ?? "",
    priceFen,
    originalFen,
    days: isPack ? 0 : parseCount(required(values.days, "--days"), { name: "--days", max: daysMax }),
    monthly: flags.monthly ?? false,
    number: values.number === undefined ? undefined : parseCount(values.number, { name: "--number", max: 1_000_000 }),
  };
}

const toRow = (row: ProductRow) => ({
  number: row.number,
  package: row.code,
  type: typeNames[row.package_type],
  name: row.name,
  yuan: formatYuan(row.price_fen),
  original: row.original_fen === null ? "-" : formatYuan(row.original_fen),
  days: row.days,
  monthly: row.monthly ? "yes" : "-",
  badge: row.badge || "-",
  withdrawn: formatTime(row.withdrawn_at),
});

const toListed = (row: ProductRow) => ({
  code: row.code,
  number: row.number,
  type: typeNames[row.package_type],
  name: row.name,
  description: row.description,
  badge: row.badge,
  priceFen: row.price_fen,
  originalFen: row.original_fen,
  days: row.days,
  monthly: row.monthly,
  withdrawnAt: toTime(row.withdrawn_at),
});
