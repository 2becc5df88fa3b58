import { type Kysely, type Migration, sql } from "kysely";

/** Downloads become rows: a further sound format needs no further column. */
export const downloads: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table rendition add column downloads jsonb not null default '[]'`.execute(db);
    await sql`
      update rendition set downloads = (
        select coalesce(jsonb_agg(jsonb_build_object('format', format, 'url', url)), '[]')
        from (values ('mp3', mp3_url), ('wav', wav_url)) files (format, url) where url is not null)`.execute(db);
    await sql`alter table rendition drop column mp3_url, drop column wav_url`.execute(db);
  },
};
