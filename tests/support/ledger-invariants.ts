import { type RawBuilder, sql } from "kysely";
import type { Db } from "~server/upstream/db/database";

/**
 * Invariants of the billing tables when the queue is empty. Each statement selects violations; the gateway's records
 * show the real payments.
 */
const rules: Record<string, RawBuilder<unknown>> = {
  "an order is granted once if it is paid, and not otherwise": sql`
    select o.id, o.state from pay_order o
    where (o.paid_by is not null)::int <>
      (select count(*) from membership_grant g where g.order_id = o.id and g.shortens is null)
      + (select count(*) from ledger l where l.order_id = o.id and l.kind = 'grant' and l.bucket = 'pack')`,
  "granted time equals the paid time minus the refunded time": sql`
    select o.id from pay_order o join membership_grant g on g.order_id = o.id
    group by o.id having sum(g.seconds) <>
      (o.snapshot->>'days')::bigint * 86400 - (o.snapshot->>'days')::bigint * 86400 * o.refunded_fen / o.amount_fen`,
  "a fully paid trade has a paid order": sql`
    select t.out_trade_no, a.state, o.state from sandbox_trade t
    join pay_attempt a using (out_trade_no) join pay_order o on o.id = a.order_id
    where t.paid_fen = t.amount_fen
      and (o.paid_by is null or a.state not in ('PAID', 'REFUNDED'))`,
  "a duplicate payment is refunded": sql`
    select a.out_trade_no, a.state from pay_attempt a join pay_order o on o.id = a.order_id
    where a.paid_fen = o.amount_fen and a.id <> o.paid_by and a.state <> 'REFUNDED'`,
  "our ledger equals the gateway's records to the fen": sql`
    select order_id, ours.fen as ours, theirs.fen as theirs from
      (select order_id, sum(amount_fen) as fen from ledger where order_id is not null group by order_id) ours
    full join
      (select a.order_id, sum(t.paid_fen) - coalesce(sum(r.fen), 0) as fen from sandbox_trade t
        join pay_attempt a using (out_trade_no)
        left join (select out_trade_no, sum(amount_fen) as fen from sandbox_refund group by 1) r using (out_trade_no)
        where t.paid_fen is not null group by 1) theirs using (order_id)
    where ours.fen is distinct from theirs.fen`,
  "a refund is sent once": sql`
    select r.number from pay_refund r left join sandbox_refund s using (number)
    where r.state <> 'DONE' or s.amount_fen is distinct from r.amount_fen`,
  "character balances equal the ledger": sql`
    select b.* from quota_bucket b where b.total - b.used - b.reserved <>
      (select coalesce(sum(l.characters), 0) from ledger l
        where l.account_id = b.account_id and l.period = b.period and l.bucket = b.bucket)`,
  "reserved characters equal the open reservations": sql`
    select b.* from quota_bucket b where b.reserved <> (
      select coalesce(sum(r.characters), 0) from quota_reservation r
      where r.account_id = b.account_id and r.period = b.period and r.bucket = b.bucket and r.state = 'reserved')`,
  "a referral brings its characters once, for the first payment": sql`
    select r.referred from referral r where (r.order_id is not null) <>
      exists (select from pay_order o where o.account_id = r.referred and o.paid_by is not null)
    union all select r.referred from referral r where r.order_id is not null and (1, r.has_paid_referrer::int) <> (
      select count(*) filter (where account_id = r.referred)::int, count(*) filter (where account_id = r.referrer)::int
      from ledger where ref = 'referral:' || r.order_id and kind = 'grant')`,
  "a refund of the whole payment leaves nothing unused of its referral, another one all of it": sql`
    select l.account_id from referral r join pay_order o on o.id = r.order_id
    join ledger l on l.ref = 'referral:' || r.order_id and l.kind = 'grant'
    join quota_bucket b on b.account_id = l.account_id and b.period = l.period and b.bucket = l.bucket
    where b.total <> case when o.refunded_fen = o.amount_fen then b.used + b.reserved else l.characters end`,
  "no job has failed or lost its worker": sql`
    select kind, key, state, error from job
    where state = 'failed' or (state = 'active' and lease_until < now() - interval '1 minute')`,
};

/** The violated invariants with their rows. */
export async function findViolations(db: Db): Promise<Record<string, unknown[]>> {
  const broken: Record<string, unknown[]> = {};
  for (const [rule, query] of Object.entries(rules)) {
    const { rows } = await query.execute(db);
    if (rows.length > 0) broken[rule] = rows;
  }
  return broken;
}
