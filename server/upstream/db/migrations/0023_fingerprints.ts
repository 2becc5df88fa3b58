import { type Kysely, type Migration, sql } from "kysely";

// What was labelled before this table was is given its row here, and its fingerprint by the sweep.
const statements = [
  sql`create table fingerprint (
    id int generated always as identity primary key,
    digest text not null unique,
    words bytea not null,
    created_at timestamptz not null default now()
  )`,
  sql`create table fingerprint_key (
    key int not null,
    fingerprint_id int not null references fingerprint (id) on delete cascade,
    place int not null,
    primary key (key, fingerprint_id, place)
  )`,
  sql`create table content (
    content_id text primary key,
    fingerprint_id int references fingerprint (id) on delete set null,
    created_at timestamptz not null default now()
  )`,
  sql`create index content_fingerprint on content (fingerprint_id, created_at) where fingerprint_id is not null`,
  sql`create index content_unknown on content (created_at) where fingerprint_id is null`,
  sql`insert into content (content_id, created_at)
    select produce_id, label_time from media_file where kind = 'speech'`,
];

export const fingerprints: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await statement.execute(db);
  },
};
