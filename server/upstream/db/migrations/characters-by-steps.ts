import { sql } from "kysely";

export const stepMigrations = {
  /**
   * Characters by steps of 30 days from the purchase, in place of calendar months. What is left of the running month,
   * packs included, stays usable for 30 days; the running step of every membership begins with all its characters.
   */
  "0103_characters_by_steps": [
    sql`alter table ledger rename column month to period`,
    sql`alter table quota_bucket rename column month to period`,
    sql`alter table quota_bucket add column ends_at timestamptz`,
    sql`update quota_bucket set ends_at =
      case when period >= to_char(now() at time zone 'Asia/Shanghai', 'YYYY-MM') then now() + interval '30 days'
      else ((period || '-01')::timestamp + interval '1 month') at time zone 'Asia/Shanghai' end`,
    sql`alter table quota_reservation rename to quota_reservation_by_month`,
    sql`drop index quota_reservation_live`,
    sql`create table quota_reservation (
      id bigint generated always as identity primary key,
      account_id text not null references wallet (account_id),
      task_id text not null,
      part smallint not null,
      bucket text not null check (bucket in ('svip', 'vip', 'pack')),
      period text not null,
      characters int not null check (characters > 0),
      state text not null default 'reserved' check (state in ('reserved', 'settled', 'released')),
      created_at timestamptz not null
    )`,
    sql`insert into quota_reservation (account_id, task_id, part, bucket, period, characters, state, created_at)
      select account_id, task_id, part, bucket, month, characters, state, created_at
      from quota_reservation_by_month,
        lateral (values (0, 'svip', svip), (1, 'vip', vip), (2, 'pack', pack)) share (part, bucket, characters)
      where characters > 0 order by id, part`,
    sql`drop table quota_reservation_by_month`,
    sql`update product set description = replace(description, '当月有效', '30 天内有效')`,
    sql`create unique index quota_reservation_live on quota_reservation (task_id, part) where state = 'reserved'`,
  ],
  // Payers who ask for their money back.
  "0104_refund_requests": [
    sql`alter table pay_order add column refund_asked_at timestamptz`,
    sql`create index pay_order_refund_asked on pay_order (refund_asked_at) where refund_asked_at is not null`,
  ],
};
