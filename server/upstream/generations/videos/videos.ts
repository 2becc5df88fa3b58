import { sql } from "kysely";
import type { CallData, CallRequest } from "~server/contract/calls/table";
import { monthlyVideos } from "~server/contract/limits";
import type { Db } from "../../db/database";
import { AppError } from "../../errors";
import { idOfOwner, type Owner } from "../../owner";
import { countRows } from "../../sql-fragments";
import type { Files, Spending } from "../../voices/ports";
import { videoProgress } from "../listing";
import { fingerprintOf } from "../request";
import type { Tier } from "../task-runs";
import type { CountedTable, CreationParts } from "../tasks";
import { getVideo, listVideos, type Video } from "./list";
import { expireUnusedPictures, requirePictures } from "./pictures";
import { getSource, roleIdsOf, type SourceRequest } from "./source";

type VideoFormat = Video["format"];

export type Videos = ReturnType<typeof createVideos>;

interface VideoParts extends CreationParts {
  files: Pick<Files, "expire">;
  tierOf(accountId: string): Promise<Tier>;
  /** Formats that this machine can make. */
  formats(): Promise<readonly VideoFormat[]>;
}

/** Films of finished sounds. */
export function createVideos(parts: VideoParts) {
  const { db, once, files, queue, tasks, tierOf, formats } = parts;
  const requirePossible = async (owner: Owner, request: { source: SourceRequest; format: VideoFormat }) => {
    const source = await getSource(db, owner, request.source);
    if (!(await formats()).includes(request.format))
      throw new AppError("video-format-missing", `${request.format} cannot be made here`);
    return { source, tier: await tierOf(idOfOwner(owner)) };
  };
  return {
    ...tasks,
    /**
     * Queues a film of a finished sound; the same key gets the same answer, and with `reuse` an equal film is it. Throws not-found, video-timeline-missing,
     * video-too-long, video-format-missing, picture-missing and video-limit; nothing is stored then.
     */
    async create(owner: Owner, request: CallRequest<"videoCreate">, key?: string): Promise<Video> {
      const { source, tier } = await requirePossible(owner, request);
      const { size, height, format, captions, background, style, pages } = request;
      await requirePictures(db, owner, request);
      const drawn = { style: JSON.stringify(style), pages: JSON.stringify(pages) };
      const shown = {
        ...{ size, height, format, captions, background },
        ...drawn,
        source_kind: request.source.kind,
        source_id: request.source.id,
        role_ids: roleIdsOf(source),
        title: source.title,
      };
      const fingerprint = fingerprintOf(shown);
      const columns = { ...shown, owner, fingerprint };
      const result = await once({ owner, call: "video", key, request }, async (trx) => {
        const equal = request.reuse && (await tasks.findEqual(trx, owner, fingerprint));
        if (equal) return getVideo({ db: trx, queue }, equal.id);
        const inserted = trx.insertInto("video").values(columns).returning(["id", "turn"]);
        const { id, turn } = await inserted.executeTakeFirstOrThrow();
        await tasks.start(trx, { id, turn, owner, tier, characters: 0 });
        return getVideo({ db: trx, queue }, id);
      });
      if (result.first) queue.wake();
      return result.answer;
    },
    async list(owner: Owner, query: CallRequest<"videoList">): Promise<CallData<"videoList">> {
      const accountId = idOfOwner(owner);
      const [used, tier, makeable] = [await usedVideos(db, accountId), await tierOf(accountId), await formats()];
      return { ...(await listVideos(parts, owner, query)), used, limit: videoLimitOf(tier), formats: [...makeable] };
    },
    /** All frames are drawn again. */
    retry: (owner: Owner, taskId: string) =>
      tasks.retry(owner, taskId, async (id) => {
        const columns = ["source_kind", "source_id", "format"] as const;
        const row = db.selectFrom("video").select(columns).where("id", "=", id);
        const { source_kind, source_id, format } = await row.executeTakeFirstOrThrow();
        const { tier } = await requirePossible(owner, { source: { kind: source_kind, id: source_id }, format });
        return { tier, write: async () => ({ characters: 0, change: { seg_done: 0, seg_total: 0 } }) };
      }),
    async forget(trx: Db, owner: Owner) {
      await tasks.forget(trx, owner);
      await trx.deleteFrom("video_use").where("account_id", "=", idOfOwner(owner)).execute();
      await trx.deleteFrom("video_template").where("account_id", "=", idOfOwner(owner)).execute();
    },
    /** Expires pictures that nothing uses. */
    sweep: (): Promise<void> => expireUnusedPictures(db, files),
  };
}

const videoLimitOf = (tier: Tier): number => monthlyVideos[tier ?? "none"];

const month = sql<string>`to_char(now() at time zone 'Asia/Shanghai', 'YYYY-MM')`;

/** The account's films of this month. */
const usedVideos = (db: Db, accountId: string): Promise<number> =>
  countRows(db.selectFrom("video_use").where("account_id", "=", accountId).where("month", "=", month));

/** Films take no characters, only one of the month's. Throws video-limit. */
const spending: Pick<Spending, "reserve" | "settle" | "release"> = {
  async reserve(trx, { accountId, taskId, tier }) {
    // Two films that start at once are counted one after the other.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`video ${accountId}`}, 0))`.execute(trx);
    const [used, limit] = [await usedVideos(trx, accountId), videoLimitOf(tier)];
    if (used >= limit) throw new AppError("video-limit", "the month's films are made", { data: { used, limit } });
    await trx.insertInto("video_use").values({ task_id: taskId, account_id: accountId, month }).execute();
  },
  settle: async () => {},
  async release(trx, taskId) {
    await trx.deleteFrom("video_use").where("task_id", "=", taskId).execute();
  },
};

/** For the tasks of films, behind all sounds. A film goes with each role, voice and tone that is seen or heard in it. */
export const videoTable: CountedTable = {
  table: "video",
  priorities: { svip: 3, vip: 2, none: 1 },
  spending,
  progressOf: videoProgress,
  roles: sql`select id as task_id, owner, unnest(role_ids) as role_id from video`,
  recordings: sql`select video.id as task_id, recording_id
      from video join clone on source_kind = 'clone' and clone.id::text = source_id
    union all select video.id, tone_id from video join clone on source_kind = 'clone' and clone.id::text = source_id
    union all select video.id, tone_id from video join dub_line on source_kind = 'dub' and dub_id::text = source_id`,
};
