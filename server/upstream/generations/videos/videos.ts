import { sql } from "kysely";
import type { CallData, CallRequest } from "~server/contract/calls/table";
import type { Once } from "../../db/idempotency";
import { AppError, requireSameRequest } from "../../errors";
import { idOfOwner, type Owner } from "../../owner";
import type { OwnedTasks } from "../../task-status";
import type { RoleOutputs } from "../../voices/ports";
import type { ListParts } from "../listing";
import type { Tier } from "../task-runs";
import type { GenerationTasks } from "../tasks";
import { usedVideos, videoLimitOf } from "./allowance";
import { getVideo, listVideos, type Video } from "./list";
import { getSource, roleIdsOf, type SourceRequest } from "./source";

type VideoFormat = Video["format"];

export interface Videos
  extends OwnedTasks,
    RoleOutputs,
    Pick<GenerationTasks, "remove" | "count" | "handOver" | "forget"> {
  /**
   * Queues a film of a finished sound; the same key gets the same answer. Throws not-found, video-timeline-missing,
   * video-too-long, video-format-missing and video-limit; nothing is stored then.
   */
  create(owner: Owner, request: CallRequest<"videoCreate">, key?: string): Promise<Video>;
  list(owner: Owner, query: CallRequest<"videoList">): Promise<CallData<"videoList">>;
}

interface VideoParts extends ListParts {
  once: Once;
  queue: ListParts["queue"] & { wake(): void };
  tasks: GenerationTasks;
  tierOf(accountId: string): Promise<Tier>;
  /** That this machine can make. */
  formats(): Promise<readonly VideoFormat[]>;
}

/** Films of finished sounds. */
export function createVideos(parts: VideoParts): Videos {
  const { db, once, queue, tasks, tierOf, formats } = parts;
  const requirePossible = async (owner: Owner, request: { source: SourceRequest; format: VideoFormat }) => {
    const source = await getSource(db, owner, request.source);
    if (!(await formats()).includes(request.format))
      throw new AppError("video-format-missing", `${request.format} cannot be made here`);
    return { source, tier: await tierOf(idOfOwner(owner)) };
  };
  return {
    ...tasks,
    async create(owner, request, key) {
      const { source, tier } = await requirePossible(owner, request);
      const { size, height, format, captions, background } = request;
      const columns = {
        ...{ owner, size, height, format, captions, background },
        source_kind: request.source.kind,
        source_id: request.source.id,
        role_ids: roleIdsOf(source),
        title: source.title,
      };
      const result = await once({ owner, call: "video", key, request }, async (trx) => {
        const inserted = trx.insertInto("video").values(columns).returning(["id", "turn"]);
        const { id, turn } = await inserted.executeTakeFirstOrThrow();
        await tasks.start(trx, { id, turn, owner, tier, characters: 0 });
        return getVideo({ db: trx, queue }, id);
      });
      requireSameRequest(result);
      if (result.first) queue.wake();
      return result.answer;
    },
    async list(owner, query) {
      const accountId = idOfOwner(owner);
      const [used, tier, makeable] = [await usedVideos(db, accountId), await tierOf(accountId), await formats()];
      return { ...(await listVideos(parts, owner, query)), used, limit: videoLimitOf(tier), formats: [...makeable] };
    },
    /** All frames are drawn again. */
    retry: (owner, taskId) =>
      tasks.retry(owner, taskId, async (id) => {
        const columns = ["source_kind", "source_id", "format"] as const;
        const row = db.selectFrom("video").select(columns).where("id", "=", id);
        const { source_kind, source_id, format } = await row.executeTakeFirstOrThrow();
        const { tier } = await requirePossible(owner, { source: { kind: source_kind, id: source_id }, format });
        return { tier, write: async () => ({ characters: 0, change: { seg_done: 0, seg_total: 0 } }) };
      }),
    async forget(trx, owner) {
      await tasks.forget(trx, owner);
      await trx.deleteFrom("video_use").where("account_id", "=", idOfOwner(owner)).execute();
    },
  };
}

/** A film goes with each role that is seen or heard in it. */
export const videoRoles = sql`select id as task_id, owner, unnest(role_ids) as role_id from video`;

/** A film goes with each recording whose voice or tone is heard in it. */
export const videoRecordings = sql`
  select video.id as task_id, recording_id
    from video join clone on source_kind = 'clone' and clone.id::text = source_id
  union all select video.id, tone_id from video join clone on source_kind = 'clone' and clone.id::text = source_id
  union all select video.id, tone_id from video join dub_line on source_kind = 'dub' and dub_id::text = source_id`;
