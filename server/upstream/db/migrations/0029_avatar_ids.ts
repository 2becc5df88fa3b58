import { type Kysely, type Migration, sql } from "kysely";

/**
 * A role's picture by its file's id, taken out of the address that was stored: versions before this one kept what the
 * caller had sent, and still write the column `avatar` during a roll-out.
 */
export const avatarIds: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table role add column avatar_id text generated always as
      (substring(avatar from '/api/v1/files/([A-Za-z0-9_-]+)(?:\.[A-Za-z0-9_]+)?(?:\\?.*)?$')) stored`.execute(db);
    await sql`create index role_avatar on role (avatar_id) where avatar_id is not null`.execute(db);
  },
};
