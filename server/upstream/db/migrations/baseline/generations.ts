import { sql } from "kysely";

/** Columns of a generation that a job runs. */
const runColumns = sql`
    status int not null default 1 check (status in (1, 2, 3)),
    seg_done int not null default 0,
    seg_total int not null default 0,
    msg text,
    job_id uuid,
    fingerprint text,
    created_at timestamptz not null default now(),
    settled_at timestamptz`;

/** Columns of one that can run again. */
export const repeatableColumns = sql`${runColumns},
    failed_at int,
    turn int not null default 1`;

/** How a text is spoken. */
export const deliveryColumns = sql`
    pitch float8,
    volume float8,
    genre int not null check (genre in (0, 1, 2)),
    ext jsonb,
    tone_id uuid references recording (id) on delete set null`;

/** The queue, the events of tasks, trials and clones. */
export const generationTables = [
  sql`create table job (
    id uuid primary key default gen_random_uuid(),
    kind text not null,
    lane text not null default '',
    key text,
    payload jsonb not null,
    priority int not null default 0,
    state text not null default 'ready' check (state in ('ready', 'active', 'done', 'failed', 'cancelled')),
    attempt int not null default 0,
    max_attempts int not null default 3,
    run_at timestamptz not null default now(),
    lease uuid,
    lease_until timestamptz,
    cancel_asked boolean not null default false,
    request_id text,
    error text,
    seq bigint generated always as identity,
    finished_at timestamptz
  )`,
  sql`create unique index job_key on job (kind, key) where key is not null and state in ('ready', 'active')`,
  sql`create index job_claim on job (kind, (-priority), run_at, seq) where state in ('ready', 'active')`,
  sql`create index job_turn on job ((-priority), run_at, seq) where state = 'ready'`,
  sql`create index job_active on job (kind) where state = 'active'`,
  sql`create index job_finished on job (finished_at) where finished_at is not null`,

  sql`create sequence task_event_number`,
  sql`create table task_event (
    id bigint generated always as identity primary key,
    number bigint unique,
    owner text not null,
    data jsonb not null,
    created_at timestamptz not null default now()
  )`,
  sql`create index task_event_fresh on task_event (id) where number is null`,
  sql`create index task_event_owner on task_event (owner, number)`,
  sql`create index task_event_age on task_event (created_at)`,

  sql`create table trial (
    id uuid primary key default gen_random_uuid(),
    owner text not null,
    is_counted boolean not null default true,
    address text not null,
    day text not null,
    content text not null,
    transcript text,
    recording_id uuid references recording (id) on delete set null,
    role_id text references role (id) on delete set null,
    rendition_id uuid references rendition (id) on delete set null,
    ${runColumns}
  )`,
  sql`create index trial_newest on trial (created_at) include (status)`,
  sql`create index trial_owner on trial (owner, created_at)`,
  sql`create index trial_visitors on trial (created_at) where owner like 'visitor:%'`,
  sql`create index trial_fingerprint on trial (owner, fingerprint) where fingerprint is not null`,
  sql`create index trial_role on trial (role_id, owner, id) where role_id is not null`,
  sql`create index trial_recording on trial (recording_id) where recording_id is not null`,
  sql`create index trial_rendition on trial (rendition_id) where rendition_id is not null`,

  // Trials held by generations of accounts without a tier until the generation ends.
  sql`create table trial_hold (
    task_id uuid primary key,
    account_id uuid not null,
    created_at timestamptz not null default now()
  )`,
  sql`create index trial_hold_account on trial_hold (account_id)`,

  sql`create table trial_allowance (
    scope text primary key,
    used int not null check (used >= 0),
    expires_at timestamptz
  )`,
  sql`create index trial_allowance_expiry on trial_allowance (expires_at) where expires_at is not null`,

  sql`create table clone (
    id uuid primary key default gen_random_uuid(),
    owner text not null,
    content text not null,
    transcript text,
    recording_id uuid references recording (id) on delete set null,
    role_id text references role (id) on delete set null,
    style text not null default '',
    speed float8 not null,
    ${deliveryColumns},
    characters int not null,
    rendition_id uuid references rendition (id) on delete set null,
    repetition int not null default 0,
    is_streamed boolean not null default false,
    ${repeatableColumns}
  )`,
  sql`create index clone_list on clone (owner, created_at desc, id) include (status)`,
  // Equal keys share an entry, which halves the time of a count: 50,000 rows in 6 ms.
  sql`create index clone_count on clone (owner, status)`,
  sql`create index clone_fingerprint on clone (owner, fingerprint) where fingerprint is not null`,
  sql`create index clone_newest on clone (created_at) include (status)`,
  sql`create index clone_failed on clone (created_at desc, id) where status = 3`,
  // An owner's clones with one role in the list's order, and generations per role, which a public role has of many owners.
  sql`create index clone_role_list on clone (role_id, owner, created_at desc, id)`,
  sql`create index clone_recording on clone (recording_id)`,
  sql`create index clone_tone on clone (tone_id) where tone_id is not null`,
  sql`create index clone_rendition on clone (rendition_id) where rendition_id is not null`,

  sql`create table dictionary_word (
    account_id uuid not null,
    word text not null,
    pinyin text not null,
    created_at timestamptz not null default now(),
    primary key (account_id, word)
  )`,

  sql`create table script_sample (
    rendition_id uuid primary key references rendition (id) on delete cascade,
    expires_at timestamptz not null
  )`,
  sql`create index script_sample_expiry on script_sample (expires_at)`,
];
