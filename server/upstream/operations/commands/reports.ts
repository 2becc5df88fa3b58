import type { OpenReport } from "../../square/reviews";
import type { Act, Command } from "../command";
import { formatTable, formatTime, toTime } from "../format";
import { parseChoice, requireWords } from "../parse";

export const reports: Command = {
  summary: "list what people reported on the square, keep a role there or take it off",
  forms: ["[list]", "keep ROLE", "withdraw ROLE"],
  notes: [
    "A person's role is hidden as soon as it is reported; the product's own stay until they are withdrawn.",
    "keep: back on the square, and hidden again only when three others report it. withdraw: off it for good, until kept.",
  ],
  read({ words: [name = "list", ...words] }) {
    return actions[parseChoice(name, ["list", "keep", "withdraw"] as const, "reports")](words);
  },
};

const actions: Record<"list" | "keep" | "withdraw", (words: string[]) => Act> = {
  list(words) {
    requireWords(words, []);
    return async ({ reviews }) => {
      const open = await reviews.list();
      return { data: open.map(toListed), text: open.length === 0 ? "no reports" : formatTable(open.map(toRow)) };
    };
  },
  keep(words) {
    const [roleId = ""] = requireWords(words, ["ROLE"]);
    return async ({ reviews }) => {
      await reviews.keep(roleId);
      return { data: { roleId, review: "kept" }, text: `${roleId} is kept` };
    };
  },
  withdraw(words) {
    const [roleId = ""] = requireWords(words, ["ROLE"]);
    return async ({ reviews }) => {
      await reviews.withdraw(roleId);
      return { data: { roleId, review: "withdrawn" }, text: `${roleId} is off the square` };
    };
  },
};

const toRow = ({ roleId, name, isHidden, reporter, reason, filedAt }: OpenReport) => ({
  role: roleId,
  name,
  hidden: isHidden ? "yes" : "no",
  filed: formatTime(filedAt),
  reporter,
  reason,
});

const toListed = ({ filedAt, ...report }: OpenReport) => ({ ...report, filedAt: toTime(filedAt) });
