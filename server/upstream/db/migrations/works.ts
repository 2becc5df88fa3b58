import { sql } from "kysely";

/** The list of all results of an account, and what they take. */
export const workMigrations = {
  "0150_works": [
    // An owner's clones with one role in the list's order; it also serves what `clone_role` did.
    sql`create index clone_role_list on clone (role_id, owner, created_at desc, id)`,
    sql`drop index clone_role`,
    sql`create index media_file_storage on media_file (owner, kind, format) include (bytes)
      where owner is not null and expires_at is null`,
  ],
};
