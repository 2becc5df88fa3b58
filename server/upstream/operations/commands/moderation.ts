import type { OpenReport } from "../../square/reviews";
import type { Takedown } from "../../voices/takedowns";
import type { Act, Command, CommandInput } from "../command";
import { formatTable, formatTime, toTime } from "../format";
import { parseChoice, parseId, required, requireWords } from "../parse";

export const takedown: Command = {
  summary: "take a voice down and block it, list blocked voices, or lift a block",
  forms: ["ROLE --reason TEXT", "list", "lift TAKEDOWN --reason TEXT"],
  notes: [
    "ROLE: a worker deletes its recording, profile, every role and output with the voice, of every account, and issues a",
    "receipt. A recording of the same voice is refused from then on, in every account; `list` counts the refusals.",
    "lift: the voice can be enrolled again. Nothing that was deleted comes back.",
  ],
  read(input) {
    const [first = ""] = input.words;
    if (first === "list") return list(input);
    return first === "lift" ? lift(input) : take(input);
  },
};

function take({ words, reason }: CommandInput): Act {
  const [roleId = ""] = requireWords(words, ["ROLE"]);
  required(reason, "--reason");
  return async ({ takedowns }) => {
    const takedownId = await takedowns.request(roleId);
    const text = `takedown ${takedownId} of role ${roleId} is queued; a worker does it as soon as one runs`;
    return { data: { takedownId, roleId }, text };
  };
}

function list({ words }: CommandInput): Act {
  requireWords(words, ["list"]);
  return async ({ takedowns }) => {
    const rows = await takedowns.list();
    return { data: rows.map(toListed), text: rows.length === 0 ? "no takedowns" : formatTable(rows.map(toRow)) };
  };
}

function lift({ words, reason }: CommandInput): Act {
  const [, id = ""] = requireWords(words, ["lift", "TAKEDOWN"]);
  const takedownId = parseId(id, "a takedown's id");
  required(reason, "--reason");
  return async ({ takedowns }) => {
    await takedowns.lift(takedownId);
    return { data: { takedownId, lifted: true }, text: `${takedownId} blocks no voice any more` };
  };
}

function stateOf({ doneAt, failure, isBlocking, liftedAt }: Takedown): string {
  if (!doneAt) return "queued";
  if (failure) return "failed";
  if (isBlocking) return "blocking";
  return liftedAt ? "lifted" : "erased";
}

const toRow = (row: Takedown) => ({
  takedown: row.id,
  role: row.roleId,
  state: stateOf(row),
  refusals: row.refusals,
  requested: formatTime(row.requestedAt),
  operator: row.operator,
  reason: row.failure ?? row.reason,
});

const toListed = ({ id, requestedAt, doneAt, liftedAt, ...row }: Takedown) => ({
  takedownId: id,
  ...row,
  state: stateOf({ id, requestedAt, doneAt, liftedAt, ...row }),
  requestedAt: toTime(requestedAt),
  doneAt: toTime(doneAt),
  liftedAt: toTime(liftedAt),
});

export const reports: Command = {
  summary: "list what people reported on the square, keep a role there or take it off",
  forms: ["[list]", "keep ROLE", "withdraw ROLE"],
  notes: [
    "A person's role is hidden when three people report it, or its owner; the product's own stay until withdrawn.",
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
      return {
        data: open.map(toListedReport),
        text: open.length === 0 ? "no reports" : formatTable(open.map(toReportRow)),
      };
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

const toReportRow = ({ roleId, name, isHidden, reporter, reason, filedAt }: OpenReport) => ({
  role: roleId,
  name,
  hidden: isHidden ? "yes" : "no",
  filed: formatTime(filedAt),
  reporter,
  reason,
});

const toListedReport = ({ filedAt, ...report }: OpenReport) => ({ ...report, filedAt: toTime(filedAt) });
