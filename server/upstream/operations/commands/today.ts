import { type RawBuilder, sql } from "kysely";
import { dayBounds, dayOf } from "../../calendar";
import type { Db } from "../../db/database";
import { defineOperation, fieldOf, toSection } from "../operation";

const taskTables = ["clone", "dub", "video", "trial"] as const;
const startOf = (day: RawBuilder<unknown>) => sql`(${day})::timestamp at time zone 'Asia/Shanghai'`;
const isOfDay = (column: string) => sql`${sql.ref(column)} >= listed.start and ${sql.ref(column)} < listed.next_start`;

/**
 * Figures of the last days, today included and first, with what was deleted since; operators are no sign-ups. Each day is
 * a range of an index: a year costs what its rows cost. Refunds are those of money that counts as paid: a second payment of
 * an order that went back counts on neither side.
 */
export async function readDays(db: Db, days: number, now: Date): Promise<object[]> {
  const date = sql`${dayOf(now)}::date - step`;
  const tasks = taskTables.map((table) => sql`select status from ${sql.table(table)} where ${isOfDay("created_at")}`);
  const { rows } = await sql<object>`
    select listed.day, coalesce(paid.fen, 0)::int as "paidFen", coalesce(refunded.fen, 0)::int as "refundedFen",
      orders::int, (accounts + gone.sign_ups)::int as "signUps", (made.tasks + gone.tasks)::int as generations,
      (made.failed + gone.failed)::int as failures
    from (select (${date})::text as day, ${startOf(date)} as start, ${startOf(sql`${date} + 1`)} as next_start
        from generate_series(0, ${days - 1}::int) step) listed
      cross join lateral (select sum(amount_fen) as fen, count(*) as orders from pay_order
        where ${isOfDay("paid_at")}) paid
      cross join lateral (select sum(back.amount_fen) as fen from pay_refund back
        join pay_attempt on pay_attempt.id = back.attempt_id join pay_order on pay_order.paid_by = pay_attempt.id
        where back.state = 'DONE' and back.reason in ('ops', 'console') and ${isOfDay("back.done_at")}) refunded
      cross join lateral (select count(*) as accounts from account where ${isOfDay("created_at")}
        and not exists (select from audit where action = 'add-operator' and target = account.id::text)) signed
      cross join lateral (select count(*) as tasks, count(*) filter (where status = 3) as failed
        from (${sql.join(tasks, sql` union all `)}) task) made
      cross join lateral (select coalesce(sum(count) filter (where kind = 'account'), 0) as sign_ups,
        coalesce(sum(count) filter (where kind <> 'account'), 0) as tasks,
        coalesce(sum(count) filter (where reason <> ''), 0) as failed
        from deleted_figure where day = listed.day::date) gone
    order by listed.day desc`.execute(db);
  return rows;
}

const dayColumns =
  "day paidFen:fen=paid refundedFen:fen=refunded orders:number signUps:number=sign-ups generations:number failures:number";

export async function readWaiting(db: Db): Promise<object[]> {
  const { rows } = await sql<object>`select
    (select count(*)::int from pay_anomaly where resolved_at is null) as anomalies,
    (select count(*)::int from voice_proof where review = 'asked') as proofs,
    (select count(*)::int from role_report where reviewed_at is null) as reports,
    (select count(*)::int from pay_order where refund_asked_at is not null) as "refundsAsked",
    (select count(*)::int from pay_invoice where state = 'ASKED') as "invoicesAsked",
    (select count(*)::int from job where state = 'ready' and run_at <= now()) as jobs,
    (select coalesce(max(extract(epoch from now() - run_at)), 0)::int from job
      where state = 'ready' and run_at <= now()) as "oldestSeconds"`.execute(db);
  return rows;
}

const waitingColumns =
  "anomalies:number refundsAsked:number=refunds_asked invoicesAsked:number=invoices_asked proofs:number reports:number jobs:number oldestSeconds:number=oldest_s";

/** Why tasks failed since a moment, most frequent first. */
export async function readFailures(db: Db, since: Date) {
  const failed = taskTables.map(
    (table) => sql`select ${table}::text as kind, msg, 1 as count from ${sql.table(table)}
      where created_at >= ${since} and status = 3`,
  );
  const deleted = sql`select kind, reason, count from deleted_figure where day >= ${dayOf(since)}::date and reason <> ''`;
  const { rows } = await sql<object>`
    select kind, msg as reason, sum(count)::int as tasks
    from (${sql.join([...failed, deleted], sql` union all `)}) failed
    group by kind, msg order by tasks desc, kind, msg limit 50`.execute(db);
  return toSection("failures", "kind reason tasks:number", rows);
}

/** The engines of every process that speaks. One that has not reported for a minute, four times its pace, is gone. */
async function readEngines(db: Db) {
  const { rows } = await sql<object>`
    select engine, process, role, case when is_gone then 'gone' else state end as state,
      case when is_gone then seen_at else since end as since
    from (select *, seen_at < now() - interval '1 minute' as is_gone from engine_report) report
    order by is_gone, engine, process`.execute(db);
  return toSection("engines", "engine process role state since:time", rows);
}

export const todayOperations = [
  defineOperation({
    name: "today",
    summary: "show today's figures: money, sign-ups, tasks, failures with reasons, what waits, engines, and 30 days",
    cli: { words: ["today"] },
    roles: ["support", "finance", "moderator"],
    isRead: true,
    fields: {},
    async run({ db, now }) {
      const at = now();
      const [days, waiting, failures, engines] = await Promise.all([
        readDays(db, 30, at),
        readWaiting(db),
        readFailures(db, dayBounds(dayOf(at)).from),
        readEngines(db),
      ]);
      return {
        sections: [
          toSection("figures", dayColumns, days.slice(0, 1)),
          toSection("by-day", dayColumns, days),
          toSection("waiting", waitingColumns, waiting),
          failures,
          engines,
        ],
      };
    },
  }),
  defineOperation({
    name: "revenue",
    summary: "show what was paid and refunded by day, in fen with --json",
    cli: { words: ["revenue"] },
    roles: ["finance"],
    isRead: true,
    fields: { days: fieldOf.count("--days", 366).optional() },
    run: async ({ db, now }, { days = 30 }) => ({
      sections: [toSection("by-day", dayColumns, await readDays(db, days, now()))],
    }),
  }),
];
