import { AppError } from "../../errors";
import { afterRow } from "../../sql-fragments";
import { cutPage, defineOperation, fieldOf, pageFields, pageSize, toSection } from "../operation";
import { actSection } from "./orders";

interface OperatorRow {
  account_id: string;
  name: string;
  role: string;
  is_enrolled: boolean;
  created_at: Date;
}

const operatorSection = (rows: OperatorRow[]) =>
  toSection<OperatorRow>(
    "operators",
    [
      { key: "name", kind: "text", of: ({ name }) => name },
      { key: "role", kind: "text", of: ({ role }) => role },
      { key: "accountId", title: "account", kind: "text", of: ({ account_id }) => account_id },
      { key: "isEnrolled", title: "authenticator", kind: "text", of: ({ is_enrolled }) => is_enrolled },
      { key: "createdAt", title: "since", kind: "time", of: ({ created_at }) => created_at },
    ],
    rows,
    { acts: [{ name: "operator-remove", fill: { who: "accountId" } }] },
  );

export const operatorOperations = [
  defineOperation({
    name: "operators",
    summary: "list the accounts that may use the console",
    cli: { words: ["operators", "list"], isDefault: true },
    isRead: true,
    fields: {},
    async run({ db }) {
      const rows = await db.selectFrom("operator").selectAll().orderBy("created_at").execute();
      return { sections: [operatorSection(rows)], empty: "no operators" };
    },
  }),
  defineOperation({
    name: "operator-add",
    summary: "let an account use the console, or give it another role",
    cli: { words: ["operators", "add"], takes: ["who"] },
    needsFreshCode: true,
    notes: [
      "A phone without an account gets one. The first login at /console sets the authenticator up: do it at once.",
      "A lost authenticator: `operators remove` and add the account again.",
    ],
    fields: { who: fieldOf.account(), role: fieldOf.role(), name: fieldOf.text("--name", 40).optional() },
    async run({ db, people, operator, reason }, { who, role, name }) {
      const person = await people.getOrAdd(who);
      const shown = name ?? person.phone;
      await db.transaction().execute(async (trx) => {
        await trx
          .insertInto("operator")
          .values({ account_id: person.id, name: shown, role, totp_sealed: null })
          .onConflict((conflict) => conflict.column("account_id").doUpdateSet({ role, ...(name && { name }) }))
          .execute();
        const detail = JSON.stringify({ role, name: shown, ...(reason && { reason }) });
        const row = { operator, action: "add-operator", target: person.id, detail };
        await trx.insertInto("audit").values(row).execute();
      });
      return { data: { accountId: person.id, role, name: shown }, message: `${shown} is ${role}` };
    },
  }),
  defineOperation({
    name: "operator-remove",
    summary: "end an account's use of the console",
    cli: { words: ["operators", "remove"], takes: ["who"] },
    needsFreshCode: true,
    fields: { who: fieldOf.account() },
    async run({ db, people, operator, reason }, { who }) {
      const person = await people.get(who);
      await db.transaction().execute(async (trx) => {
        const removal = trx.deleteFrom("operator").where("account_id", "=", person.id);
        const { numDeletedRows } = await removal.executeTakeFirst();
        if (numDeletedRows !== 1n) throw new AppError("not-found", "the account is no operator");
        const detail = JSON.stringify({ ...(reason && { reason }) });
        const row = { operator, action: "remove-operator", target: person.id, detail };
        await trx.insertInto("audit").values(row).execute();
      });
      return { data: { accountId: person.id }, message: `${person.phone} is no operator any more` };
    },
  }),
  defineOperation({
    name: "audit",
    summary: "list operators' acts, newest first",
    cli: { words: ["audit"] },
    isRead: true,
    fields: { operator: fieldOf.text("--by").optional(), target: fieldOf.text("--of").optional(), ...pageFields() },
    async run({ db }, { operator, target, limit = pageSize, after }) {
      let acts = db
        .selectFrom("audit")
        .selectAll()
        .orderBy("created_at", "desc")
        .orderBy("id")
        .limit(limit + 1);
      if (operator !== undefined) acts = acts.where("operator", "=", operator);
      if (target !== undefined) acts = acts.where("target", "=", target);
      if (after !== undefined) acts = acts.where(afterRow("audit", after));
      const page = cutPage(await acts.execute(), limit);
      return { sections: [actSection(page.rows, page.next)], empty: "no acts" };
    },
  }),
];
