import { sql } from "kysely";
import { dayBounds, dayOf } from "../../calendar";
import type { Db } from "../../db/database";
import { defineOperation, fieldOf, toSection } from "../operation";

const dayMs = 86_400_000;
const taskTables = ["clone", "dub", "video", "trial"] as const;
const localDay = (column: string) => sql`(${sql.ref(column)} at time zone 'Asia/Shanghai')::date::text`;

/** Figures of the last days, today included and first. */
async function readDays(db: Db, days: number, now: Date): Promise<object[]> {
  const today = dayOf(now);
  const since = new Date(dayBounds(today).from.getTime() - (days - 1) * dayMs);
  const counted = taskTables.map(
    (table) =>
      sql`select ${localDay("created_at")} as day, status from ${sql.table(table)} where created_at >= ${since}`,
  );
  const { rows } = await sql<object>`
    with paid as (select ${localDay("paid_at")} as day, sum(amount_fen) as fen, count(*) as orders from pay_order
        where paid_at >= ${since} group by 1),
      refunded as (select ${localDay("done_at")} as day, sum(amount_fen) as fen from pay_refund
        where done_at >= ${since} and state = 'DONE' group by 1),
      signed as (select ${localDay("created_at")} as day, count(*) as accounts from account
        where created_at >= ${since} group by 1),
      made as (select day, count(*) as tasks, count(*) filter (where status = 3) as failed
        from (${sql.join(counted, sql` union all `)}) task group by 1)
    select listed.day, coalesce(paid.fen, 0)::int as "paidFen", coalesce(refunded.fen, 0)::int as "refundedFen",
      coalesce(paid.orders, 0)::int as orders, coalesce(accounts, 0)::int as "signUps",
      coalesce(tasks, 0)::int as generations, coalesce(failed, 0)::int as failures
    from (select (${today}::date - step)::text as day from generate_series(0, ${days - 1}::int) step) listed
      left join paid on paid.day = listed.day left join refunded on refunded.day = listed.day
      left join signed on signed.day = listed.day left join made on made.day = listed.day
    order by listed.day desc`.execute(db);
  return rows;
}

const dayColumns =
  "day paidFen:fen=paid refundedFen:fen=refunded orders:number signUps:number=sign-ups generations:number failures:number";

async function readWaiting(db: Db): Promise<object[]> {
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
async function readFailures(db: Db, since: Date) {
  const failed = taskTables.map(
    (table) => sql`select ${table}::text as kind, msg from ${sql.table(table)}
      where created_at >= ${since} and status = 3`,
  );
  const { rows } = await sql<object>`
    select kind, msg as reason, count(*)::int as tasks from (${sql.join(failed, sql` union all `)}) failed
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
