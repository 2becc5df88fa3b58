import { AppError } from "../../errors";
import { defineOperation, fieldOf, toSection } from "../operation";

interface RequestRow {
  id: string;
  operation: string;
  input: Record<string, string>;
  reason: string;
  name: string;
  created_at: Date;
}

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
        .select(["request.id", "operation", "input", "reason", "name", "request.created_at"])
        .orderBy("request.created_at")
        .execute();
      const section = toSection<RequestRow>(
        "requests",
        [
          { key: "id", title: "request", kind: "text", of: ({ id }) => id },
          { key: "operation", kind: "text", of: ({ operation }) => operation },
          { key: "input", kind: "json", of: ({ input }) => input },
          { key: "reason", kind: "text", of: ({ reason }) => reason },
          { key: "operator", kind: "text", of: ({ name }) => name },
          { key: "createdAt", title: "since", kind: "time", of: ({ created_at }) => created_at },
        ],
        rows,
        { acts: ["request-approve", "request-dismiss"].map((name) => ({ name, fill: { request: "id" } })) },
      );
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
    async run({ db, operator }, { request: target }) {
      await db.transaction().execute(async (trx) => {
        const { numDeletedRows } = await trx.deleteFrom("operator_request").where("id", "=", target).executeTakeFirst();
        if (numDeletedRows !== 1n) throw new AppError("not-found", "no such request");
        await trx.insertInto("audit").values({ operator, action: "dismiss-request", target, detail: "{}" }).execute();
      });
      return { data: { requestId: target }, message: `${target} is dismissed` };
    },
  }),
];
