import { sql } from "kysely";
import { createCodes, type Gift } from "../../billing/gifts";
import { dayBounds, dayOf } from "../../calendar";
import { AppError } from "../../errors";
import { afterRow } from "../../sql-fragments";
import { cutPage, defineOperation, fieldOf, pageFields, pageSize, toSection } from "../operation";

const columns =
  "batchId=batch tier days:number characters:number codes:number redeemed:number note createdAt:time=created " +
  "-expiresAt:time until withdrawnAt:time=withdrawn";

const limits = { days: 20_000, characters: 10_000_000, codes: 10_000 };

export const codeOperations = [
  defineOperation({
    name: "codes",
    summary: "list batches of redeem codes with how many were redeemed, newest first",
    cli: { words: ["codes", "list"], isDefault: true },
    roles: ["finance", "support"],
    isRead: true,
    fields: pageFields(),
    async run({ db }, { limit = pageSize, after }) {
      const redeemed = sql<number>`(select count(*)::int from redeem_code
        where batch_id = redeem_batch.id and account_id is not null)`;
      let batches = db
        .selectFrom("redeem_batch")
        .select(["id", "id as batchId", "tier", "days", "characters", "codes", redeemed.as("redeemed"), "note"])
        .select(["created_at as createdAt", "expires_at as expiresAt", "withdrawn_at as withdrawnAt"])
        .orderBy("created_at", "desc")
        .orderBy("id")
        .limit(limit + 1);
      if (after !== undefined) batches = batches.where(afterRow("redeem_batch", after));
      const page = cutPage(await batches.execute(), limit);
      const acts = [{ name: "codes-withdraw", fill: { batch: "batchId" }, when: "!withdrawnAt" }];
      // Codes end when the day after their last one begins.
      const rows = page.rows.map((row) => ({ ...row, until: dayOf(new Date(row.expiresAt.getTime() - 1)) }));
      return { sections: [toSection("codes", columns, rows, { acts, next: page.next })], empty: "no codes" };
    },
  }),
  defineOperation({
    name: "codes-create",
    summary: "make a batch of redeem codes, which are printed this once",
    cli: { words: ["codes", "create"] },
    roles: ["finance"],
    needsFreshCode: true,
    notes: ["A code gives --days of --tier, or --characters as a pack of 30 days. An account redeems one of a batch."],
    fields: {
      count: fieldOf.count("--count", limits.codes),
      tier: fieldOf.choice("--tier", ["vip", "svip"]).optional(),
      days: fieldOf.count("--days", limits.days).optional(),
      characters: fieldOf.count("--characters", limits.characters).optional(),
      until: fieldOf.day("--until"),
      note: fieldOf.text("--note"),
    },
    refine({ tier, days, characters }) {
      if ((tier === undefined) !== (days === undefined)) return "--tier and --days go together";
      return (tier === undefined) === (characters === undefined) ? "give --tier and --days, or --characters" : null;
    },
    async run({ operations, now }, { count, tier, days = 0, characters = 0, until, note }) {
      const gift: Gift = tier ? { tier, days } : { characters };
      const expiresAt = dayBounds(until).to;
      if (expiresAt <= now()) throw new AppError("bad-request", "--until has passed");
      const { batchId, codes } = await operations.audited(
        "create-codes",
        {
          target: note,
          detail: ({ batchId }: { batchId: string; codes: string[] }) => ({ batchId, ...gift, count, until }),
        },
        (trx) => createCodes(trx, { gift, count, note, expiresAt }),
      );
      const rows = codes.map((redeemCode) => ({ redeemCode }));
      return {
        sections: [toSection("new-codes", "redeemCode=code", rows)],
        data: { batchId, codes },
        message: codes.join("\n"),
      };
    },
  }),
  defineOperation({
    name: "codes-withdraw",
    summary: "withdraw a batch: what was redeemed stays, the other codes are refused",
    cli: { words: ["codes", "withdraw"], takes: ["batch"] },
    roles: ["finance"],
    needsReason: true,
    fields: { batch: fieldOf.id("BATCH", "a batch's id") },
    async run({ operations, now }, { batch }) {
      await operations.audited("withdraw-codes", { target: batch, detail: {} }, async (trx) => {
        const open = trx.updateTable("redeem_batch").set({ withdrawn_at: now() }).where("id", "=", batch);
        const { numUpdatedRows } = await open.where("withdrawn_at", "is", null).executeTakeFirst();
        if (numUpdatedRows !== 1n) throw new AppError("not-found", "no such batch, or it is withdrawn");
      });
      return { data: { batchId: batch, withdrawn: true }, message: `${batch} is withdrawn` };
    },
  }),
];
