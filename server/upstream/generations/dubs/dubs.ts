import { sql } from "kysely";
import type { CallData, CallRequest } from "~server/contract/calls/table";
import type { Db } from "../../db/database";
import { AppError } from "../../errors";
import type { Owner, RoleOutputs, Stoppable } from "../../voices/ports";
import { costOf, keyOfLine } from "./cost";
import { type Dub, type DubList, getDub, listDubs } from "./list";
import { accountIdOf, type DubParts, toUuids } from "./parts";
import { forgetDubs, removeDubs } from "./removal";
import { type DubRequest, findVoices, type LineRequest, requireAllowed } from "./request";
import { retryDub } from "./retry";

export interface Dubs extends Stoppable, RoleOutputs {
  /**
   * Reserves what its new lines take and queues its job in one transaction; the same key gets the same answer. Throws
   * text-empty, text-too-long and voice-missing naming the `line`, and entitlement `{reason: "tier" | "quota" | "trial"}`:
   * then nothing is taken and nothing kept.
   */
  create(owner: Owner, request: DubRequest, key?: string): Promise<Dub>;
  /** What creating it would take now. */
  quote(owner: Owner, lines: LineRequest[]): Promise<CallData<"dubQuote">>;
  list(owner: Owner, query: CallRequest<"dubList">): Promise<DubList>;
  /** Stops those that wait or run; what is not the owner's, or is gone, is left alone. */
  remove(owner: Owner, ids: string[]): Promise<void>;
  /** For the owner's export. */
  listOf(owner: Owner): Promise<Dub[]>;
  /** For the receipt of a deleted account. */
  counts: { dubs(trx: Db, owner: Owner): Promise<number> };
  handOver(trx: Db, from: Owner, to: Owner): Promise<void>;
  /** All of one owner's; their files are left. */
  forget(trx: Db, owner: Owner): Promise<void>;
  /** Removes what was made while writing a week ago. */
  sweep(): Promise<void>;
}

const everything = { page: 1, pageSize: 100_000 };

/** Scripts spoken line by line, each in a role's voice. */
export function createDubs(parts: DubParts): Dubs {
  const { db, once, queue, files, spending, task } = parts;
  const find = (trx: Db, owner: Owner) =>
    trx.selectFrom("dub").select(["id", "job_id"]).where("owner", "=", owner).orderBy("id");
  const withRole = (trx: Db, owner: Owner, roleId: string) =>
    find(trx, owner).where("id", "in", (eb) =>
      eb.selectFrom("dub_line").select("dub_id").where("role_id", "=", roleId),
    );

  return {
    async create(owner, request, key) {
      const { lines } = request;
      const { tier, segments } = await requireAllowed(parts, owner, lines);
      const tones = await findVoices(parts, owner, lines);
      const result = await once({ owner, call: "dub", key, request }, async (trx) => {
        const { costChar } = await costOf(trx, owner, lines);
        const { id, turn } = await insertDub(trx, { owner, request, tones, segments, costChar });
        await task.start(trx, { id, turn, owner, tier, characters: costChar });
        return getDub({ ...parts, db: trx }, id);
      });
      if (result.kind === "other-request") throw new AppError("bad-request", "key of another request", { status: 409 });
      if (result.first) queue.wake();
      return result.answer;
    },
    async quote(owner, lines) {
      return { ...(await costOf(db, owner, lines)), ...(await spending.allowanceOf(accountIdOf(owner))) };
    },
    list: (owner, query) => listDubs(parts, owner, query),
    listOf: async (owner) => (await listDubs(parts, owner, everything)).list,
    async remove(owner, ids) {
      const named = toUuids(ids);
      if (named.length === 0) return;
      await db.transaction().execute(async (trx) => {
        await removeDubs(trx, parts, await find(trx, owner).where("id", "in", named).orderBy("id").execute());
      });
      queue.wake();
      await files.removeExpired();
    },
    async cancel(owner, taskId) {
      const ids = toUuids([taskId]);
      if (ids.length === 0) return false;
      const { isFound, isRunning } = await db.transaction().execute(async (trx) => {
        const dubs = await find(trx, owner).where("id", "in", ids).execute();
        return { isFound: dubs.length > 0, isRunning: await task.stop(trx, dubs) };
      });
      if (isRunning) queue.wake();
      return isFound;
    },
    retry: (owner, taskId) => retryDub(parts, owner, taskId),
    async forgetRole(trx, owner, roleId) {
      await removeDubs(trx, parts, await withRole(trx, owner, roleId).orderBy("id").execute());
    },
    async countByRole(owner, roleIds) {
      const made = db.selectFrom("dub_line").innerJoin("dub", "dub.id", "dub_id").where("owner", "=", owner);
      const rows = await made
        .select((eb) => ["role_id", eb.fn.count<string>("dub_id").distinct().as("count")])
        .where("role_id", "in", roleIds)
        .groupBy("role_id")
        .execute();
      return new Map(rows.map(({ role_id, count }) => [role_id, Number(count)]));
    },
    counts: { dubs: async (trx, owner) => (await find(trx, owner).execute()).length },
    // Visitors have none.
    handOver: async () => {},
    async forget(trx, owner) {
      await forgetDubs(trx, parts, await find(trx, owner).orderBy("id").execute());
    },
    async sweep() {
      await db.transaction().execute(async (trx) => {
        const takes = trx.selectFrom("dub").select(["id", "job_id"]).where("is_take", "=", true);
        const old = takes.where("created_at", "<", sql<Date>`now() - interval '7 days'`).orderBy("id");
        await removeDubs(trx, parts, await old.execute());
      });
    },
  };
}

interface NewDub {
  owner: Owner;
  request: DubRequest;
  tones: Array<string | null>;
  segments: number[];
  costChar: number;
}

async function insertDub(trx: Db, { owner, request, tones, segments, costChar }: NewDub) {
  const { title = "", format = null, isTake = false, lines } = request;
  const dub = await trx
    .insertInto("dub")
    .values({ owner, title, format, is_take: isTake, cost_char: costChar })
    .returning(["id", "turn"])
    .executeTakeFirstOrThrow();
  const rows = lines.map((line, number) => ({
    ...toRow(line),
    dub_id: dub.id,
    number,
    tone_id: tones[number] ?? null,
    segments: segments[number] ?? 1,
  }));
  await trx.insertInto("dub_line").values(rows).execute();
  return dub;
}

function toRow(line: LineRequest) {
  const { roleId, content, speed, pitch, volume, genre, ext, pauseAfter, startMs, endMs } = line;
  const weights = Object.entries(ext ?? {}).filter(([, weight]) => weight !== undefined);
  return {
    role_id: roleId,
    content,
    speed,
    pitch: pitch ?? null,
    volume: volume ?? null,
    genre,
    ext: weights.length > 0 ? JSON.stringify(Object.fromEntries(weights)) : null,
    pause_after: pauseAfter ?? 0,
    start_ms: startMs ?? null,
    end_ms: endMs ?? null,
    line_key: keyOfLine(line),
  };
}
