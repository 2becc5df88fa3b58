import { type Kysely, type Migration, sql } from "kysely";

// A recording is somebody's own voice: never public. Generated speech without its label is no row at all.
const statements = [
  sql`create table media_file (
    id text primary key,
    owner text,
    is_public boolean not null,
    kind text not null check (kind in ('recording', 'speech', 'image', 'timeline')),
    mime text not null,
    bytes int not null check (bytes >= 0),
    storage_key text not null unique,
    format text not null,
    produce_id text unique,
    label_time timestamptz,
    created_at timestamptz not null default now(),
    expires_at timestamptz,
    check (kind <> 'recording' or (not is_public and owner is not null)),
    check (kind <> 'speech' or (produce_id is not null and label_time is not null))
  )`,
  sql`create index media_file_owner on media_file (owner) where owner is not null`,
  sql`create index media_file_expiry on media_file (expires_at) where expires_at is not null`,
];

export const media: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await statement.execute(db);
  },
};
