import { sql } from "kysely";
import { createAccountKeys, storeToken } from "~server/upstream/accounts/credentials";
import type { Db } from "~server/upstream/db/database";
import { seed } from "~server/upstream/db/seed/seed";
import { type AccountOwner, ownerOf } from "~server/upstream/owner";

/** Rows per table; the `heavy` ones belong to one account. */
export interface ListScale {
  accounts: number;
  clones: number;
  heavyClones: number;
  roles: number;
  heavyRoles: number;
  dubs: number;
  heavyDubs: number;
  orders: number;
  heavyOrders: number;
}

export const linesPerDub = 5;
/** One role in four is on the square. */
export const rolesPerShown = 4;

/** Issue sizes: a million clones, 200,000 roles, 100,000 orders, one account with 50,000 clones. */
export const largeScale: ListScale = {
  accounts: 20_000,
  clones: 1_000_000,
  heavyClones: 50_000,
  roles: 200_000,
  heavyRoles: 500,
  dubs: 50_000,
  heavyDubs: 2_000,
  orders: 100_000,
  heavyOrders: 300,
};

/** Large enough for the planner to prefer an index wherever one fits. */
export const smallScale: ListScale = {
  accounts: 3_000,
  clones: 12_000,
  heavyClones: 1_000,
  roles: 6_000,
  heavyRoles: 100,
  dubs: 3_000,
  heavyDubs: 300,
  orders: 6_000,
  heavyOrders: 60,
};

export interface HeavyAccount {
  id: string;
  owner: AccountOwner;
  token: string;
  /** Heard in a fiftieth of its clones, and in hardly any. */
  ownRoleId: string;
  rareRoleId: string;
}

const corpus =
  "今天的天气很好，我们沿着河边慢慢走，路过一家旧书店，老板正在整理书架。他说这条街从前很热闹，清晨有卖豆浆的，傍晚有说书的人。" +
  "孩子们放学以后就围在树下听故事，直到家里的灯一盏一盏亮起来。后来街道拓宽了，书店搬到了拐角，生意反而更好，因为地铁站就在门口。" +
  "欢迎收听本期节目，我们来聊一聊声音怎样留住记忆。一段录音可以让人想起多年以前的午后，也可以把一句叮嘱送到很远的地方。" +
  "各位旅客请注意，开往北方的列车即将进站，请站在安全线以内等候，照看好随身的行李和小朋友，祝您旅途愉快。";
const surnames = "林陈王李赵周吴郑孙马朱胡郭何高罗宋谢韩唐";
const given = "安宁晨雨思远明月清风书文子涵若溪一诺景行知夏长歌云舒";
const categories = "有声书,新闻播报,情感电台,儿童故事,影视解说,广告配音,客服,教学,方言,游戏角色,纪录片,真人声音".split(
  ",",
);
const tags = "温柔,沉稳,活泼,磁性,清亮,低沉,知性,少年,御姐,大叔,治愈,幽默".split(",");

const text = (seed: ReturnType<typeof sql>, least: number, spread: number) =>
  sql`substr(${corpus}::text, 1 + (${seed} * 7 % 190)::int, (${least} + ${seed} * 31 % ${spread})::int)`;
const pick = (from: string[], n: ReturnType<typeof sql>) => sql`(${from}::text[])[1 + (${n} % ${from.length})::int]`;
const id = (kind: string, n: ReturnType<typeof sql>) => sql`md5(${kind}::text || ${n})::uuid`;
const n = sql`n`;
const ago = (step: string) => sql`now() - n * ${step}::interval`;

/** Heavy rows first, then the other accounts in turn. */
const account = (heavy: number, accounts: number) => sql`case when n <= ${heavy} then 0 else 1 + n % ${accounts} end`;
const accountId = (heavy: number, accounts: number) => id("account", sql`(${account(heavy, accounts)})`);

/** Fills a migrated database; `dataKey` seals the phones. Foreign keys and triggers are off meanwhile, to be quick. */
export async function insertListRows(db: Db, scale: ListScale, dataKey: string): Promise<HeavyAccount> {
  await seed(db);
  await db.transaction().execute(async (trx) => {
    await sql`set local session_replication_role = replica`.execute(trx);
    await insertAccounts(trx, scale, dataKey);
    await insertVoices(trx, scale);
    await insertGenerations(trx, scale);
    await insertMoney(trx, scale);
    await insertTraces(trx, scale);
  });
  const { rows } = await sql<{ id: string; own: string; rare: string }>`select ${id("account", sql`0`)} as id,
    ${id("role", sql`2`)}::text as own, ${id("role", sql`14`)}::text as rare`.execute(db);
  const { id: heavy = "", own = "", rare = "" } = rows[0] ?? {};
  const token = "heavy-account";
  await storeToken(db, token, heavy);
  await sql`vacuum (analyze)`.execute(db);
  return { id: heavy, owner: ownerOf(heavy), token, ownRoleId: own, rareRoleId: rare };
}

async function insertAccounts(trx: Db, { accounts }: ListScale, dataKey: string) {
  const sealed = createAccountKeys(dataKey).sealPhone("13800000000");
  await sql`insert into account (id, phone_hash, phone_sealed, created_at)
    select ${id("account", n)}, 'phone' || n, ${sealed}, ${ago("1 minute")}
    from generate_series(0, ${accounts}::int) n`.execute(trx);
  await sql`insert into wallet (account_id) select id from account`.execute(trx);
  await sql`insert into login_token (hash, account_id, expires_at)
    select 'token' || id, id, now() + interval '20 days' from account`.execute(trx);
  await sql`insert into login_code (phone_hash, code_hash, expires_at)
    select phone_hash, 'code', now() + interval '4 minutes' from account`.execute(trx);
}

async function insertVoices(trx: Db, { accounts, roles, heavyRoles, clones, orders }: ListScale) {
  const owner = sql`'account:' || ${accountId(heavyRoles, accounts)}`;
  await sql`insert into recording (id, file_id, owner, name, url, duration_ms, quality, created_at)
    select ${id("recording", n)}, 'recording' || n, ${owner}, '录音' || n || '.wav',
      '/api/v1/files/recording' || n || '.wav', 9000, '{"verdict":"good"}', ${ago("3 minutes")}
    from generate_series(1, ${roles}::int) n`.execute(trx);
  await sql`insert into rendition (id, owner, play_id, play_url, timeline_url, duration_ms, downloads, created_at)
    select ${id("rendition", n)}, ${owner}, 'speech' || n, '/api/v1/files/speech' || n || '.mp3',
      '/api/v1/files/times' || n || '.json', 33000,
      jsonb_build_array(jsonb_build_object('format', 'mp3', 'url', '/api/v1/files/marked' || n || '.mp3')), ${ago("1 minute")}
    from generate_series(1, ${Math.floor(clones / 5)}::int) n`.execute(trx);
  await sql`insert into media_file (id, owner, is_public, kind, mime, bytes, storage_key, format, created_at)
    select 'recording' || n, ${owner}, false, 'recording', 'audio/wav', 500000, 'recording/' || n, 'wav', ${ago("3 minutes")}
    from generate_series(1, ${roles}::int) n`.execute(trx);
  await sql`insert into role (id, owner, name, describe, gender, category, tags, language, avatar, recording_id, transcript,
      status, preview_text, preview_id, is_public, use_num, created_at)
    select ${id("role", n)}::text, ${owner},
      substr(${surnames}::text, 1 + n % 20, 1) || substr(${given}::text, 1 + n * 7 % 25, 2) || n % 1000,
      ${text(n, 20, 60)}, case when n % 2 = 0 then 'male' else 'female' end, ${pick(categories, sql`n / 4`)},
      array[${pick(tags, n)}, ${pick(tags, sql`n / 12`)}], case when n % 50 = 0 then 'yue' else 'zh' end,
      '/api/v1/files/face' || n || '.webp', ${id("recording", n)}, ${text(n, 20, 30)}, 2, '你好',
      ${id("rendition", n)}, n % ${rolesPerShown} = 0, n * 7919 % 100000, ${ago("3 minutes")}
    from generate_series(1, ${roles}::int) n`.execute(trx);
  await sql`insert into role_consent (role_id, account_id, statement_id, statement_version, statement_sha256, address)
    select id, substr(owner, 9)::uuid, 's', 1, 'sha', '127.0.0.1' from role where owner is not null`.execute(trx);
  await sql`insert into role_report (role_id, reporter, address, reason, reviewed_at)
    select ${id("role", sql`n * ${rolesPerShown}`)}::text, 'visitor:' || n, '127.0.0.1', '不像本人', case when n % 20 > 0 then now() end
    from generate_series(1, ${Math.floor(orders / 50)}::int) n`.execute(trx);
}

async function insertGenerations(trx: Db, scale: ListScale) {
  const { accounts, clones, heavyClones, dubs, heavyDubs, roles } = scale;
  const renditions = Math.floor(clones / 5);
  const status = sql`case when n % 1000 = 999 then 1 when n % 50 = 49 then 3 else 2 end`;
  const roleId = sql`${id("role", sql`(1 + n * 13 % ${roles})`)}::text`;
  // A fifth of the heavy account's clones speak with one of its own roles.
  const cloneRole = sql`case when n <= ${heavyClones} and n % 5 = 0
    then ${id("role", sql`(1 + n / 5 % 10)`)}::text else ${roleId} end`;
  await sql`insert into clone (id, owner, content, role_id, speed, genre, characters, status, rendition_id, created_at)
    select ${id("clone", n)}, 'account:' || ${accountId(heavyClones, accounts)}, '第' || n || '条。' || ${text(n, 30, 240)},
      ${cloneRole}, 1, 0, 150, ${status}, ${id("rendition", sql`(1 + n % ${renditions})`)}, ${ago("20 seconds")}
    from generate_series(1, ${clones}::int) n`.execute(trx);
  await sql`insert into media_file (id, owner, is_public, kind, mime, bytes, storage_key, format, produce_id, label_time)
    select 'sound' || n || ending, 'account:' || ${accountId(heavyClones, accounts)}, false, 'speech', 'audio/x', 90000,
      'speech/' || n || ending, ending, 'sound' || n || ending, now()
    from generate_series(1, ${heavyClones}::int) n, unnest(array['mp3', 'wav', 'json']) ending`.execute(trx);
  await sql`insert into dub (id, owner, title, is_take, status, cost_char, rendition_id, created_at)
    select ${id("dub", n)}, 'account:' || ${accountId(heavyDubs, accounts)}, '第' || n || '集 ' || ${text(n, 4, 12)},
      n % 10 = 9, ${status}, 200, ${id("rendition", sql`(1 + n % ${renditions})`)},
      case when n % 10 = 9 then now() else ${ago("5 minutes")} end
    from generate_series(1, ${dubs}::int) n`.execute(trx);
  await sql`insert into dub_line (dub_id, number, role_id, content, speed, genre, line_key, status, sound_key, rendition_id)
    select ${id("dub", sql`(1 + n / ${linesPerDub})`)}, n % ${linesPerDub}, ${roleId}, '第' || n || '句。' || ${text(n, 8, 40)}, 1, 0,
      'key' || n, 2, 'sound' || n, ${id("rendition", sql`(1 + n % ${renditions})`)}
    from generate_series(0, ${dubs * linesPerDub - 1}::int) n`.execute(trx);
  await sql`insert into trial (owner, address, day, content, status, created_at)
    select 'visitor:' || md5(n::text), '127.0.0.1', '2026-11-01', ${text(n, 20, 60)}, 2, now() - n % 5 * interval '1 day'
    from generate_series(1, ${Math.floor(clones / 20)}::int) n`.execute(trx);
  await sql`insert into trial_allowance (scope, used) select owner, 1 from trial`.execute(trx);
}

async function insertMoney(trx: Db, { accounts, orders, heavyOrders, clones, heavyClones }: ListScale) {
  const payer = sql`${accountId(heavyOrders, accounts)}::text`;
  const isPaid = sql`n % 10 < 7`;
  await sql`insert into pay_order (id, account_id, product_code, snapshot, amount_fen, state, paid_by, paid_at, expires_at, created_at)
    select ${id("order", n)}, ${payer}, 'vip-month', '{"name":"会员","packageType":1,"days":30}', 2900,
      case when ${isPaid} then 'PAID' else 'CLOSED' end, case when ${isPaid} then ${id("attempt", n)} end,
      case when ${isPaid} then ${ago("10 minutes")} end, ${ago("10 minutes")}, ${ago("10 minutes")}
    from generate_series(1, ${orders}::int) n`.execute(trx);
  await sql`insert into pay_attempt (id, order_id, gateway, platform, trade_type, out_trade_no, state, transaction_id, paid_fen,
      paid_at, created_at)
    select ${id("attempt", n)}, ${id("order", n)}, 'sandbox', 1 + n % 2, 'native', 'trade' || n,
      case when ${isPaid} then 'PAID' else 'CLOSED' end, case when ${isPaid} then 'transaction' || n end,
      case when ${isPaid} then 2900 end, case when ${isPaid} then ${ago("10 minutes")} end, ${ago("10 minutes")}
    from generate_series(1, ${orders}::int) n`.execute(trx);
  await sql`insert into pay_refund (number, attempt_id, amount_fen, reason, state, created_at)
    select 'trade' || n * 10 || 'R1', ${id("attempt", sql`n * 10`)}, 100, 'ops', 'DONE', ${ago("1 hour")}
    from generate_series(1, ${Math.floor(orders / 20)}::int) n`.execute(trx);
  await sql`insert into pay_anomaly (kind, gateway, ref, order_id, detail, created_at, resolved_at)
    select 'late', 'sandbox', 'anomaly' || n, ${id("order", sql`n * 20`)},
      jsonb_build_object('transactionId', 'transaction' || n * 20, 'outTradeNo', 'trade' || n * 20), ${ago("1 hour")},
      case when n % 50 > 0 then now() end
    from generate_series(1, ${Math.floor(orders / 20)}::int) n`.execute(trx);
  await sql`insert into audit (operator, action, target, detail)
    select 'ops', 'refund', 'trade' || n * 10, '{}' from generate_series(1, ${Math.floor(orders / 10)}::int) n`.execute(
    trx,
  );
  await sql`insert into ledger (account_id, kind, bucket, period, characters, ref, created_at)
    select ${accountId(heavyClones * 2, accounts)}::text, case when n % 2 = 0 then 'settle' else 'reserve' end, 'svip', '2026-11',
      case when n % 2 = 0 then 0 else -150 end, ${id("clone", sql`(n / 2)`)}::text, ${ago("10 seconds")}
    from generate_series(1, ${Math.floor(clones / 2)}::int) n`.execute(trx);
  await sql`insert into quota_reservation (account_id, task_id, part, bucket, period, characters, state, created_at)
    select ${accountId(heavyClones, accounts)}::text, ${id("clone", n)}::text, 0, 'svip', '2026-11', 150, 'settled', now()
    from generate_series(1, ${Math.floor(clones / 5)}::int) n`.execute(trx);
}

/** Rows of the last days: jobs, events, stored answers, segments. */
async function insertTraces(trx: Db, { accounts, clones }: ListScale) {
  const few = Math.floor(clones / 10);
  await sql`insert into job (kind, payload, state, finished_at, run_at)
    select 'clone', '{}', 'done', ${ago("5 seconds")}, ${ago("5 seconds")} from generate_series(1, ${few}::int) n`.execute(
    trx,
  );
  await sql`insert into task_event (number, owner, data, created_at)
    select nextval('task_event_number'), 'account:' || ${id("account", sql`(n % ${accounts})`)},
      jsonb_build_object('taskId', ${id("clone", n)}, 'kind', 'clone', 'status', 2, 'progress', 1), now() - interval '1 hour'
    from generate_series(1, ${few}::int) n`.execute(trx);
  await sql`insert into idempotency (owner, call, key, request, created_at)
    select 'account:' || ${id("account", sql`(n % ${accounts})`)}, 'clone', n::text, 'hash', now() - interval '1 hour'
    from generate_series(1, ${few}::int) n`.execute(trx);
  await sql`insert into rate (key, window_start, hits, expires_at)
    select 'key' || n, 0, 1, now() + interval '5 minutes' from generate_series(1, ${few}::int) n`.execute(trx);
  await sql`insert into segment (fingerprint, key, chunks, voice)
    select md5(n::text), 'segments/' || n, '[]', 'voice' || n from generate_series(1, ${few}::int) n`.execute(trx);
  await sql`insert into content (content_id) select 'gone' || n from generate_series(1, 10) n`.execute(trx);
}
