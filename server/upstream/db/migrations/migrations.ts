import { type Kysely, type RawBuilder, sql } from "kysely";
import { accountTables } from "./baseline/accounts";
import { billingTables } from "./baseline/billing";
import { dubTables } from "./baseline/dubs";
import { generationTables } from "./baseline/generations";
import { trustTables } from "./baseline/trust";
import { voiceTables } from "./baseline/voices";
import { stepMigrations } from "./characters-by-steps";
import { consoleMigrations } from "./console";
import { deskMigrations, invoiceMigrations, messageMigrations } from "./desk";
import { developerMigrations } from "./developers";
import { projectMigrations } from "./projects";
import { workMigrations } from "./works";

const baseline = "0000_baseline";

/** Migrations by name, which is also their order. Add a migration at the end, with the next number from 0102 on. */
export const migrations: Record<string, RawBuilder<unknown>[]> = {
  [baseline]: [...accountTables, ...voiceTables, ...trustTables, ...generationTables, ...dubTables, ...billingTables],
  // A prompt without a voice: its reading becomes the recording.
  "0102_one_reading": [sql`alter table voice_proof alter column recording_id drop not null`],
  ...stepMigrations,
  "0105_dub_versions": [sql`alter table dub add column version_of uuid`],
  ...consoleMigrations,
  ...developerMigrations,
  ...projectMigrations,
  "0134_speed_up": [sql`alter table dub_line add column speed_up_max float8`],
  "0135_video_styles": [
    sql`alter table video add column style jsonb not null default '{}', add column pages jsonb not null default '[]'`,
    sql`alter table media_file drop constraint media_file_kind_check, add constraint media_file_kind_check
      check (kind in ('recording', 'speech', 'image', 'picture', 'timeline', 'music'))`,
    sql`create index media_file_picture on media_file (created_at) where kind = 'picture'`,
    sql`create table video_template (
      account_id uuid not null references account (id) on delete cascade,
      name text not null,
      choices jsonb not null,
      created_at timestamptz not null default now(),
      primary key (account_id, name)
    )`,
  ],
  ...deskMigrations,
  "0145_payers": [
    // The contract's table of pay methods says which there are.
    sql`alter table pay_attempt drop constraint pay_attempt_platform_check,
      drop constraint pay_attempt_trade_type_check`,
    sql`alter table pay_attempt add check (trade_type in ('native', 'h5', 'jsapi')),
      add column payer text not null default ''`,
  ],
  "0146_pay_handovers": [
    sql`create table pay_handover (
      hash text primary key,
      order_id uuid not null references pay_order (id),
      opened_at timestamptz,
      expires_at timestamptz not null
    )`,
    sql`create index pay_handover_age on pay_handover (expires_at)`,
  ],
  // Without foreign keys: payments outlive the account, and the phone's hash keeps it from being referred again.
  "0147_referrals": [
    sql`create table referral_code (account_id text primary key, code text not null unique)`,
    sql`create table referral (
      referred text primary key,
      referrer text not null,
      phone_hash text not null unique,
      order_id uuid unique references pay_order (id),
      rewarded_at timestamptz,
      has_paid_referrer boolean not null default false,
      created_at timestamptz not null
    )`,
    sql`create index referral_referrer on referral (referrer, rewarded_at)`,
  ],
  // Of accounts that came before referrals; a login gives one to the rare account that draws another's here.
  "0148_referral_codes": [
    sql`insert into referral_code (account_id, code)
      select id::text, translate(substr(md5(id::text || random()), 1, 8), '01', 'gh') from account
      on conflict do nothing`,
  ],
  ...invoiceMigrations,
  ...workMigrations,
  ...messageMigrations,
  "0152_dub_chapters": [
    sql`alter table dub add column chapter jsonb`,
    sql`create index dub_book on dub (owner, (chapter ->> 'bookId')) where chapter is not null`,
  ],
  // Figures of days outlive the rows that they count. Only appended to: no deletion waits for another one.
  "0153_deleted_figures": [
    sql`alter table pay_order add column refund_declined text`,
    sql`create table deleted_figure (day date not null, kind text not null, reason text not null, count int not null)`,
    sql`create index deleted_figure_day on deleted_figure (day)`,
    sql`create function keep_figure() returns trigger language plpgsql as
      'begin insert into deleted_figure select (created_at at time zone ''Asia/Shanghai'')::date, tg_table_name,
        case when status = 3 then coalesce(msg, ''failure'') else '''' end, count(*) from gone group by 1, 3;
      return null; end'`,
    sql`create function keep_sign_up() returns trigger language plpgsql as
      'begin insert into deleted_figure select (created_at at time zone ''Asia/Shanghai'')::date, ''account'', '''', count(*)
        from gone where not exists (select from audit where action = ''add-operator'' and target = gone.id::text) group by 1;
      return null; end'`,
    ...["clone", "dub", "video", "trial", "account"].map(
      (table) => sql`create trigger keep_figure after delete on ${sql.table(table)} referencing old table as gone
        for each statement execute function ${sql.id(table === "account" ? "keep_sign_up" : "keep_figure")}()`,
    ),
  ],
};

/** The migrations that the baseline replaces, and the last commit that has them. */
const replaced = { count: 48, newest: "0101_private_voices", commit: "5b5fbbd1" };

/** From their schema to the baseline's. The dropped columns were kept for servers of earlier versions. */
const toBaseline = [
  sql`alter table pay_mistake rename to pay_anomaly`,
  // With those that PostgreSQL 18 makes for columns that are not null.
  sql`do $$ declare former text; begin
    for former in select conname from pg_constraint
      where conrelid = 'pay_anomaly'::regclass and conname like 'pay\\_mistake%' loop
      execute format('alter table pay_anomaly rename constraint %I to %I',
        former, replace(former, 'pay_mistake', 'pay_anomaly'));
    end loop;
  end $$`,
  ...["open", "order", "detail"].map(
    (name) => sql`alter index ${sql.id(`pay_mistake_${name}`)} rename to ${sql.id(`pay_anomaly_${name}`)}`,
  ),
  sql`alter table clone drop column voice_path, drop column emotion_path`,
  sql`alter table dub_line drop column emotion_path`,
  sql`alter table login_code drop column request_key`,
  sql`alter table rendition drop column mp3_url, drop column wav_url`,
  sql`alter table role drop column proof_due_at`,
  // A plain profile is newer than the sealed one beside it: both are dropped and learned again.
  sql`update recording set profile_key = null, profile_sealed = null where profile is not null`,
  sql`alter table recording drop column profile`,
];

/**
 * Brings a database from before the baseline to it, and returns the baseline's name if it did. Throws if migrations are
 * missing there: the commit that has them must be started first.
 */
export async function adoptEarlierDatabase<Tables>(db: Kysely<Tables>): Promise<string[]> {
  return db.transaction().execute(async (trx) => {
    // Kysely's migrator takes the same lock.
    await sql`select pg_advisory_xact_lock(3853314791062309107)`.execute(trx);
    const earlier = await namesBeforeBaseline(trx);
    if (earlier.length === 0) return [];
    if (earlier.length < replaced.count)
      throw new Error(
        `The database lacks ${replaced.count - earlier.length} of the migrations that ${baseline} replaces: ` +
          `start commit ${replaced.commit} on it once, then this version`,
      );
    for (const statement of toBaseline) await statement.execute(trx);
    await sql`delete from kysely_migration where name = any(${earlier})`.execute(trx);
    await sql`insert into kysely_migration values (${baseline}, ${new Date().toISOString()})`.execute(trx);
    return [baseline];
  });
}

async function namesBeforeBaseline<Tables>(db: Kysely<Tables>): Promise<string[]> {
  const table = await sql<{ name: string | null }>`select to_regclass('kysely_migration')::text as name`.execute(db);
  if (!table.rows[0]?.name) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  return rows.map(({ name }) => name).filter((name) => name !== baseline && name <= replaced.newest);
}
