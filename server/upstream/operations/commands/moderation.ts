import { listWithdrawn, type OpenReport } from "../../square/reviews";
import type { Takedown } from "../../voices/takedowns";
import { cutPage, defineOperation, fieldOf, pageFields, pageSize, toSection } from "../operation";

function stateOf({ doneAt, failure, isBlocking, liftedAt }: Takedown): string {
  if (!doneAt) return "queued";
  if (failure) return "failed";
  if (isBlocking) return "blocking";
  return liftedAt ? "lifted" : "erased";
}

const takedownColumns =
  "takedownId=takedown roleId=role state refusals:number requestedAt:time=requested -doneAt:time -liftedAt:time operator " +
  "reason failure -receiptId -isBlocking:json";

const takedownSection = (rows: Takedown[], next: string | null) =>
  toSection(
    "takedowns",
    takedownColumns,
    rows.map((row) => ({ ...row, takedownId: row.id, state: stateOf(row) })),
    { acts: [{ name: "takedown-lift", fill: { takedown: "takedownId" }, when: "isBlocking" }], next },
  );

const actsOf = (...names: string[]) => names.map((name) => ({ name, fill: { role: "roleId" } }));

const reportColumns = "roleId=role name isHidden=hidden filedAt:time=filed reporter -owner reason";

const reportSection = (rows: OpenReport[], next: string | null) =>
  toSection("reports", reportColumns, rows, { acts: actsOf("report-keep", "report-withdraw", "takedown"), next });

const withdrawnColumns = "roleId=role name state withdrawnAt:time=withdrawn operator -owner";

const withdrawnSection = (rows: object[], next: string | null) =>
  toSection("withdrawn-roles", withdrawnColumns, rows, { acts: actsOf("report-keep", "takedown"), next });

const decisions = [
  {
    act: "keep",
    review: "kept",
    summary: "put a role back on the square; it is hidden again only when three others report it",
    done: "kept",
  },
  {
    act: "withdraw",
    review: "withdrawn",
    summary: "take a role off the square for good, until it is kept",
    done: "off the square",
  },
] as const;

export const moderationOperations = [
  defineOperation({
    name: "reports",
    summary: "list what people reported on the square, and the roles that are withdrawn from it",
    cli: { words: ["reports", "list"], isDefault: true },
    roles: ["moderator"],
    isRead: true,
    notes: [
      "A person's role is hidden when three people report it, or its owner; the product's own stay until withdrawn.",
    ],
    fields: pageFields(),
    async run({ db, reviews }, { limit = pageSize, after }) {
      const wanted = { limit: limit + 1, after };
      const open = cutPage(await reviews.list(wanted), limit);
      const withdrawn = cutPage(await listWithdrawn(db, wanted), limit);
      const sections = [reportSection(open.rows, open.next), withdrawnSection(withdrawn.rows, withdrawn.next)];
      // `after` is a row of one list; the other list is then empty.
      const shown = sections.filter(({ rows }) => after === undefined || rows.length > 0);
      return { sections: shown, empty: "no reports and no withdrawn roles" };
    },
  }),
  ...decisions.map(({ act, review, summary, done }) =>
    defineOperation({
      name: `report-${act}`,
      summary,
      cli: { words: ["reports", act], takes: ["role"] },
      roles: ["moderator"],
      fields: { role: fieldOf.text("ROLE") },
      async run({ reviews }, { role }) {
        await reviews[act](role);
        return { data: { roleId: role, review }, message: `${role} is ${done}` };
      },
    }),
  ),
  defineOperation({
    name: "takedowns",
    summary: "list voices that were taken down",
    cli: { words: ["takedown", "list"] },
    roles: ["moderator"],
    isRead: true,
    fields: pageFields(),
    async run({ takedowns }, { limit = pageSize, after }) {
      const page = cutPage(await takedowns.list({ limit: limit + 1, after }), limit);
      return { sections: [takedownSection(page.rows, page.next)], empty: "no takedowns" };
    },
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
