import type { OpenReport } from "../../square/reviews";
import type { Takedown } from "../../voices/takedowns";
import { defineOperation, fieldOf, toSection } from "../operation";

function stateOf({ doneAt, failure, isBlocking, liftedAt }: Takedown): string {
  if (!doneAt) return "queued";
  if (failure) return "failed";
  if (isBlocking) return "blocking";
  return liftedAt ? "lifted" : "erased";
}

const takedownSection = (rows: Takedown[]) =>
  toSection<Takedown>(
    "takedowns",
    [
      { key: "takedownId", title: "takedown", kind: "text", of: ({ id }) => id },
      { key: "roleId", title: "role", kind: "text", of: ({ roleId }) => roleId },
      { key: "state", kind: "text", of: stateOf },
      { key: "refusals", kind: "number", of: ({ refusals }) => refusals },
      { key: "requestedAt", title: "requested", kind: "time", of: ({ requestedAt }) => requestedAt },
      { key: "doneAt", title: "done", kind: "time", only: "json", of: ({ doneAt }) => doneAt },
      { key: "liftedAt", title: "lifted", kind: "time", only: "json", of: ({ liftedAt }) => liftedAt },
      { key: "operator", kind: "text", of: ({ operator }) => operator },
      { key: "reason", kind: "text", of: ({ reason }) => reason },
      { key: "failure", kind: "text", of: ({ failure }) => failure },
      { key: "receiptId", kind: "text", only: "json", of: ({ receiptId }) => receiptId },
      { key: "isBlocking", kind: "json", only: "json", of: ({ isBlocking }) => isBlocking },
    ],
    rows,
    { acts: [{ name: "takedown-lift", fill: { takedown: "takedownId" }, when: "isBlocking" }] },
  );

const reportSection = (rows: OpenReport[]) =>
  toSection<OpenReport>(
    "reports",
    [
      { key: "roleId", title: "role", kind: "text", of: ({ roleId }) => roleId },
      { key: "name", kind: "text", of: ({ name }) => name },
      { key: "isHidden", title: "hidden", kind: "text", of: ({ isHidden }) => isHidden },
      { key: "filedAt", title: "filed", kind: "time", of: ({ filedAt }) => filedAt },
      { key: "reporter", kind: "text", of: ({ reporter }) => reporter },
      { key: "owner", kind: "text", only: "json", of: ({ owner }) => owner },
      { key: "reason", kind: "text", of: ({ reason }) => reason },
    ],
    rows,
    {
      acts: [
        { name: "report-keep", fill: { role: "roleId" } },
        { name: "report-withdraw", fill: { role: "roleId" } },
        { name: "takedown", fill: { role: "roleId" } },
      ],
    },
  );

export const moderationOperations = [
  defineOperation({
    name: "reports",
    summary: "list what people reported on the square",
    cli: { words: ["reports", "list"], isDefault: true },
    roles: ["moderator"],
    isRead: true,
    notes: [
      "A person's role is hidden when three people report it, or its owner; the product's own stay until withdrawn.",
    ],
    fields: {},
    run: async ({ reviews }) => ({ sections: [reportSection(await reviews.list())], empty: "no reports" }),
  }),
  defineOperation({
    name: "report-keep",
    summary: "put a role back on the square; it is hidden again only when three others report it",
    cli: { words: ["reports", "keep"], takes: ["role"] },
    roles: ["moderator"],
    fields: { role: fieldOf.text("ROLE") },
    async run({ reviews }, { role }) {
      await reviews.keep(role);
      return { data: { roleId: role, review: "kept" }, message: `${role} is kept` };
    },
  }),
  defineOperation({
    name: "report-withdraw",
    summary: "take a role off the square for good, until it is kept",
    cli: { words: ["reports", "withdraw"], takes: ["role"] },
    roles: ["moderator"],
    fields: { role: fieldOf.text("ROLE") },
    async run({ reviews }, { role }) {
      await reviews.withdraw(role);
      return { data: { roleId: role, review: "withdrawn" }, message: `${role} is off the square` };
    },
  }),
  defineOperation({
    name: "takedowns",
    summary: "list voices that were taken down",
    cli: { words: ["takedown", "list"] },
    roles: ["moderator"],
    isRead: true,
    fields: {},
    run: async ({ takedowns }) => ({ sections: [takedownSection(await takedowns.list())], empty: "no takedowns" }),
  }),
  defineOperation({
    name: "takedown",
    summary: "take a voice down and block it",
    cli: { words: ["takedown"], takes: ["role"] },
    roles: ["moderator"],
    needsReason: true,
    needsSecond: true,
    notes: [
      "ROLE: a worker deletes its recording, profile, every role and output with the voice, of every account, and issues a",
      "receipt. A recording of the same voice is refused from then on, in every account; `list` counts the refusals.",
    ],
    fields: { role: fieldOf.text("ROLE") },
    async run({ takedowns }, { role }) {
      const takedownId = await takedowns.request(role);
      const message = `takedown ${takedownId} of role ${role} is queued; a worker does it as soon as one runs`;
      return { data: { takedownId, roleId: role }, message };
    },
  }),
  defineOperation({
    name: "takedown-lift",
    summary: "lift a block: the voice can be enrolled again; nothing that was deleted comes back",
    cli: { words: ["takedown", "lift"], takes: ["takedown"] },
    roles: ["moderator"],
    needsReason: true,
    fields: { takedown: fieldOf.id("TAKEDOWN", "a takedown's id") },
    async run({ takedowns }, { takedown }) {
      await takedowns.lift(takedown);
      return { data: { takedownId: takedown, lifted: true }, message: `${takedown} blocks no voice any more` };
    },
  }),
];
