import { sql } from "kysely";

export const projectMigrations = {
  "0130_projects": [
    sql`create table project (
      account_id uuid not null references account (id) on delete cascade,
      id text not null,
      kind text not null,
      title text not null,
      excerpt text not null,
      lines int not null,
      characters int not null,
      document text not null,
      revision int not null,
      updated_at timestamptz not null,
      deleted_at timestamptz,
      primary key (account_id, id)
    )`,
    sql`create index project_list on project (account_id, kind, updated_at desc, id desc)`,
    sql`create index project_deleted on project (deleted_at) where deleted_at is not null`,
  ],
};
