import { sql } from "kysely";
import type { CallData, CallRequest } from "~server/contract/calls/table";
import { takeDays } from "~server/contract/limits";
import type { Db } from "../../db/database";
import { idOfOwner, type Owner } from "../../owner";
import { toUuids } from "../../sql-fragments";
import type { Files } from "../../voices/ports";
import { dubProgress } from "../listing";
import { fingerprintOf, type TaskOrigin, toDeliveryColumns } from "../request";
import type { CreationParts, TaskTable } from "../tasks";
import { toChapterColumn } from "./chapters";
import { type Dub, type DubList, getDub, listDubs } from "./list";
import { expireUnusedMusic, toMusicColumn } from "./music";
import {
  costOf,
  type DubRequest,
  findTones,
  keyOfLine,
  type LineRequest,
  type RequestParts,
  requireAllowed,
} from "./request";

export type Dubs = ReturnType<typeof createDubs>;

interface DubParts extends RequestParts, CreationParts {
  files: Pick<Files, "isOwn" | "expire">;
}

/** Scripts spoken line by line, each in a role's voice. */
export function createDubs(parts: DubParts) {
  const { db, once, queue, spending, tasks } = parts;
  return {
    ...tasks,
    /**
     * Reserves the characters of the new lines and queues the job in one transaction; the same key gets the same answer. With
     * `reuse` an equal dub that waits or runs is the answer.
     * Throws text-empty, text-too-long and voice-missing with the `line`, music-missing, and entitlement
     * `{reason: "tier" | "quota" | "trial"}`; nothing is stored then.
     */
    async create(owner: Owner, request: DubRequest, { idempotencyKey: key, apiKeyId }: TaskOrigin = {}): Promise<Dub> {
      const { lines } = request;
      const { tier, segments } = await requireAllowed(parts, owner, lines);
      const tones = await findTones(parts, owner, lines);
      const music = await toMusicColumn(parts, owner, request.music);
      const chapter = await toChapterColumn(parts, owner, request.chapter);
      const fingerprint = fingerprintOf({ ...request, reuse: undefined, revises: undefined, music, tones });
      const result = await once({ owner, call: "dub", key, request }, async (trx) => {
        const equal = request.reuse && (await tasks.findEqual(trx, owner, fingerprint));
        if (equal && equal.status === 1) return getDub({ db: trx, queue }, equal.id);
        const { costChar } = await costOf(trx, owner, lines);
        const { id, turn } = await insertDub(trx, {
          owner,
          request,
          music,
          chapter,
          tones,
          segments,
          costChar,
          fingerprint,
        });
        await tasks.start(trx, { id, turn, owner, tier, characters: costChar, apiKeyId });
        return getDub({ db: trx, queue }, id);
      });
      if (result.first) queue.wake();
      return result.answer;
    },
    /** The present cost of creating these lines. */
    async quote(owner: Owner, lines: LineRequest[]): Promise<CallData<"dubQuote">> {
      return { ...(await costOf(db, owner, lines)), ...(await spending.allowanceOf(idOfOwner(owner))) };
    },
    list: (owner: Owner, query: CallRequest<"dubList">): Promise<DubList> => listDubs(parts, owner, query),
    /** Finished lines stay as they are. */
    retry: (owner: Owner, taskId: string) =>
      tasks.retry(owner, taskId, async (id) => {
        const lines = await getLines(db, id);
        const { tier } = await requireAllowed(parts, owner, lines);
        const tones = await findTones(parts, owner, lines);
        const write = async (trx: Db) => {
          const { costChar } = await costOf(trx, owner, lines);
          for (const [number, tone_id] of tones.entries()) {
            const line = trx.updateTable("dub_line").where("dub_id", "=", id).where("number", "=", number);
            await line.set({ status: 1, tone_id }).where("status", "<>", 2).execute();
          }
          return { characters: costChar, change: { cost_char: costChar } };
        };
        return { tier, write };
      }),
    /** Removes takes older than `takeDays`, and music that no dub uses. */
    async sweep() {
      await db.transaction().execute(async (trx) => {
        const takes = trx.selectFrom("dub").select(["id", "job_id"]).where("is_take", "=", true);
        const old = takes.where("created_at", "<", sql<Date>`now() - make_interval(days => ${takeDays})`).orderBy("id");
        await tasks.removeTasks(trx, await old.execute());
      });
      await expireUnusedMusic(db, parts.files);
    },
  };
}

interface NewDub {
  owner: Owner;
  request: DubRequest;
  music: string | null;
  chapter: string | null;
  tones: Array<string | null>;
  segments: number[];
  costChar: number;
  fingerprint: string;
}

async function insertDub(trx: Db, { request, tones, segments, costChar, ...columns }: NewDub) {
  const { owner } = columns;
  const { title = "", format = null, isTake = false, revises = "", lines } = request;
  const version_of = sql<string | null>`(
    select coalesce(version_of, id) from dub where owner = ${owner} and id = any(${toUuids([revises])}::uuid[]))`;
  const dub = await trx
    .insertInto("dub")
    .values({ ...columns, title, format, is_take: isTake, version_of, cost_char: costChar })
    .returning(["id", "turn"])
    .executeTakeFirstOrThrow();
  const rows = lines.map((line, number) => ({
    ...toDeliveryColumns(line),
    dub_id: dub.id,
    number,
    role_id: line.roleId,
    content: line.content,
    speed: line.speed,
    pause_after: line.pauseAfter ?? 0,
    start_ms: line.startMs ?? null,
    end_ms: line.endMs ?? null,
    speed_up_max: line.speedUpMax ?? null,
    line_key: keyOfLine(line),
    tone_id: tones[number] ?? null,
    segments: segments[number] ?? 1,
  }));
  await trx.insertInto("dub_line").values(rows).execute();
  return dub;
}

/** The lines as they were requested. */
async function getLines(db: Db, dubId: string): Promise<LineRequest[]> {
  const rows = await db
    .selectFrom("dub_line")
    .leftJoin("recording as tone", "tone.id", "dub_line.tone_id")
    .selectAll("dub_line")
    .select("tone.url as emotionPath")
    .where("dub_id", "=", dubId)
    .orderBy("number")
    .execute();
  return rows.map((row) => ({
    roleId: row.role_id,
    content: row.content,
    speed: row.speed,
    pitch: row.pitch ?? undefined,
    volume: row.volume ?? undefined,
    genre: row.genre as LineRequest["genre"],
    ext: (row.ext as LineRequest["ext"]) ?? undefined,
    emotionPath: row.emotionPath ?? "",
    pauseAfter: row.pause_after,
    startMs: row.start_ms ?? undefined,
    endMs: row.end_ms ?? undefined,
    speedUpMax: row.speed_up_max ?? undefined,
  }));
}

/** The sounds of lines, which several dubs may share. */
const lines: TaskTable["lines"] = {
  async remove(trx, dubIds) {
    const removed = trx.deleteFrom("dub_line").where("dub_id", "in", dubIds).returning("rendition_id");
    return (await removed.execute()).flatMap(({ rendition_id }) => rendition_id ?? []);
  },
  /** Locks before it looks: a job that is about to share a rendition either waits for its deletion, or is found. */
  async findUnused(trx, renditionIds) {
    const ids = [...new Set(renditionIds)].sort();
    if (ids.length === 0) return [];
    await trx.selectFrom("rendition").select("id").where("id", "in", ids).orderBy("id").forUpdate().execute();
    const { rows } = await sql<{ id: string }>`
      select id from rendition where id = any(${ids}::uuid[])
      and not exists (select 1 from dub_line where dub_line.rendition_id = rendition.id)`.execute(trx);
    return rows.map(({ id }) => id);
  },
};

/** For the tasks of dubs. */
export const dubTable: TaskTable = {
  table: "dub",
  progressOf: dubProgress,
  roles: sql`select dub_id as task_id, owner, role_id from dub_line join dub on dub.id = dub_id`,
  recordings: sql`select dub_id as task_id, tone_id as recording_id from dub_line`,
  lines,
};
