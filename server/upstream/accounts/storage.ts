import { sql } from "kysely";
import type { CallData } from "~server/contract/calls/table";
import { projectRestoreDays, takeDays, unusedUploadDays } from "~server/contract/limits";
import type { Db } from "../db/database";
import { ownerOf } from "../owner";

type Storage = CallData<"storage">;

/** What an account's results and uploads take, and how long it is kept. */
export type ReadStorage = (accountId: string) => Promise<Storage>;

/** Times of speech belong to it; what a person uploads to be seen is a picture. */
const kindOfFile = sql`case
  when kind = 'speech' and format in ('mp4', 'webm') then 'video'
  when kind in ('speech', 'timeline') then 'speech'
  when kind in ('image', 'picture') then 'picture'
  else kind end`;

/** Files that are counted, from the index `media_file_storage` alone: 30,000 take 10 ms, and are thousands of works. */
const countedMax = 30_000;

export const createStorage =
  (db: Db): ReadStorage =>
  async (accountId) => {
    const owner = ownerOf(accountId);
    const { rows: files } = await sql<Record<"kind" | "count" | "bytes", string>>`
      select ${kindOfFile} as kind, count(*) as count, sum(bytes) as bytes from (
        select kind, format, bytes from media_file
          where owner = ${owner} and expires_at is null limit ${countedMax}) counted group by 1
      union all select 'project', count(*), coalesce(sum(octet_length(document)), 0) from project
        where account_id = ${accountId} having count(*) > 0
      order by bytes desc`.execute(db);
    const { rows } = await sql<Record<keyof Storage["works"], string>>`
      select (select count(*) from clone where owner = ${owner}) as clone,
        (select count(*) from dub where owner = ${owner} and not is_take) as dub,
        (select count(*) from video where owner = ${owner}) as video`.execute(db);
    const { clone = 0, dub = 0, video = 0 } = rows[0] ?? {};
    const counted = files.reduce((sum, { kind, count }) => sum + (kind === "project" ? 0 : Number(count)), 0);
    return {
      isMore: counted === countedMax,
      works: { clone: Number(clone), dub: Number(dub), video: Number(video) },
      files: files.map(({ kind, count, bytes }) => ({
        kind: kind as Storage["files"][number]["kind"],
        count: Number(count),
        bytes: Number(bytes),
      })),
      projectDays: projectRestoreDays,
      takeDays,
      unusedDays: unusedUploadDays,
    };
  };
