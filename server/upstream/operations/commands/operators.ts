import { AppError } from "../../errors";
import { afterRow } from "../../sql-fragments";
import { cutPage, defineOperation, fieldOf, pageFields, pageSize, toSection } from "../operation";
import { actSection } from "./orders";

export const operatorOperations = [
  defineOperation({
    name: "operators",
    summary: "list the accounts that may use the console",
    cli: { words: ["operators", "list"], isDefault: true },
    isRead: true,
    fields: {},
    async run({ db }) {
      const rows = await db
        .selectFrom("operator")
        .select(["name", "role", "account_id as accountId", "is_enrolled as isEnrolled", "created_at as createdAt"])
        .orderBy("created_at")
        .execute();
      const acts = [{ name: "operator-remove", fill: { who: "accountId" } }];
      const columns = "name role accountId=account isEnrolled=authenticator createdAt:time=since";
      return { sections: [toSection("operators", columns, rows, { acts })], empty: "no operators" };
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
    async run({ operations, people }, { who, role, name }) {
      const person = await people.getOrAdd(who);
      const shown = name ?? person.phone;
      const target = { target: person.id, detail: { role, name: shown } };
      await operations.audited("add-operator", target, async (trx) => {
        await trx
          .insertInto("operator")
          .values({ account_id: person.id, name: shown, role, totp_sealed: null })
          .onConflict((conflict) => conflict.column("account_id").doUpdateSet({ role, ...(name && { name }) }))
          .execute();
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
    async run({ operations, people }, { who }) {
      const person = await people.get(who);
      await operations.audited("remove-operator", { target: person.id, detail: {} }, async (trx) => {
        const removed = await trx.deleteFrom("operator").where("account_id", "=", person.id).executeTakeFirst();
        if (removed.numDeletedRows !== 1n) throw new AppError("not-found", "the account is no operator");
      });
      return { data: { accountId: person.id }, message: `${person.phone} is no operator any more` };
    },
  }),
  defineOperation({
    name: "audit",
    summary: "list operators' acts, newest first",
    cli: { words: ["audit"] },
    isRead: true,
    fields: { by: fieldOf.text("--by").optional(), of: fieldOf.text("--of").optional(), ...pageFields() },
    async run({ db }, { by, of, limit = pageSize, after }) {
      let acts = db
        .selectFrom("audit")
        .selectAll()
        .orderBy("created_at", "desc")
        .orderBy("id")
        .limit(limit + 1);
      if (by !== undefined) acts = acts.where("operator", "=", by);
      if (of !== undefined) acts = acts.where("target", "=", of);
      if (after !== undefined) acts = acts.where(afterRow("audit", after));
      const page = cutPage(await acts.execute(), limit);
      return { sections: [actSection(page.rows, page.next)], empty: "no acts" };
    },
  }),
];

const requestField = () => fieldOf.id("REQUEST", "a request's id");
const everyone = ["support", "finance", "moderator"] as const;

export const requestOperations = [
  defineOperation({
    name: "requests",
    summary: "list acts that wait for a second operator",
    cli: { words: ["requests", "list"], isDefault: true },
    roles: everyone,
    isRead: true,
    fields: {},
    async run({ db }) {
      const rows = await db
        .selectFrom("operator_request as request")
        .innerJoin("operator", "operator.id", "request.asked_by")
        .select(["request.id", "operation", "input", "reason", "name as operator", "request.created_at as createdAt"])
        .orderBy("request.created_at")
        .execute();
      const acts = ["request-approve", "request-dismiss"].map((name) => ({ name, fill: { request: "id" } }));
      const columns = "id=request operation input:json reason operator createdAt:time=since";
      const section = toSection("requests", columns, rows, { acts });
      return { sections: [section], empty: "no requests" };
    },
  }),
  defineOperation({
    name: "request-approve",
    summary: "do what another operator has asked for",
    cli: { words: ["requests", "approve"], takes: ["request"] },
    roles: everyone,
    needsFreshCode: true,
    notes: ["An operator cannot approve what they asked for themselves, and only what their own role may do."],
    fields: { request: requestField() },
    async run({ db, operator, operatorId, perform }, { request: id }) {
      const asked = await db
        .selectFrom("operator_request as request")
        .innerJoin("operator", "operator.id", "request.asked_by")
        .select(["operation", "input", "reason", "asked_by", "name"])
        .where("request.id", "=", id)
        .executeTakeFirst();
      if (!asked) throw new AppError("not-found", "no such request");
      if (asked.asked_by === operatorId) throw new AppError("forbidden", "another operator must approve it");
      // Taken first, so that two approvals do it once.
      const { numDeletedRows } = await db.deleteFrom("operator_request").where("id", "=", id).executeTakeFirst();
      if (numDeletedRows !== 1n) throw new AppError("not-found", "no such request");
      const { operation, input, reason } = asked;
      try {
        await perform({ name: operation, input, reason, operator: `${asked.name}, ${operator}` });
      } catch (error) {
        const row = { id, operation, input: JSON.stringify(input), reason, asked_by: asked.asked_by };
        await db.insertInto("operator_request").values(row).execute();
        throw error;
      }
      return { data: { operation, input }, message: `${operation} is done` };
    },
  }),
  defineOperation({
    name: "request-dismiss",
    summary: "drop a request for a second operator",
    cli: { words: ["requests", "dismiss"], takes: ["request"] },
    roles: everyone,
    fields: { request: requestField() },
    async run({ operations }, { request: target }) {
      await operations.audited("dismiss-request", { target, detail: {} }, async (trx) => {
        const dropped = await trx.deleteFrom("operator_request").where("id", "=", target).executeTakeFirst();
        if (dropped.numDeletedRows !== 1n) throw new AppError("not-found", "no such request");
      });
      return { data: { requestId: target }, message: `${target} is dismissed` };
    },
  }),
];
