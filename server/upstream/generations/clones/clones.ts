import type { CallRequest } from "~server/contract/calls/table";
import type { Db } from "../../db/database";
import { AppError } from "../../errors";
import type { Owner, RoleOutputs, Stoppable } from "../../voices/ports";
import { type Clone, type CloneList, getClone, listClones, toUuids } from "./list";
import type { CloneParts } from "./parts";
import { forgetClones, removeClones } from "./removal";
import { type CloneRequest, findVoices, requireAllowed } from "./request";
import { retryClone } from "./retry";

export interface Clones extends Stoppable, RoleOutputs {
  /**
   * Reserves what it takes and queues its job in one transaction; the same key gets the same answer. Throws text-empty,
   * voice-missing, and entitlement `{reason: "tier" | "quota" | "trial"}`: then nothing is taken and nothing kept.
   */
  create(owner: Owner, request: CloneRequest, key?: string): Promise<Clone>;
  list(owner: Owner, query: CallRequest<"cloneList">): Promise<CloneList>;
  /** Stops those that wait or run; what is not the owner's, or is gone, is left alone. */
  remove(owner: Owner, ids: string[]): Promise<void>;
  /** For the owner's export. */
  listOf(owner: Owner): Promise<Clone[]>;
  /** For the receipt of a deletion. */
  counts: { clones(trx: Db, owner: Owner): Promise<number> };
  handOver(trx: Db, from: Owner, to: Owner): Promise<void>;
  /** Stops what runs and forgets them all; their files are left. */
  forget(trx: Db, owner: Owner): Promise<void>;
}

const everything = { page: 1, pageSize: 100_000 };

/** Texts spoken by roles and recordings. */
export function createClones(parts: CloneParts): Clones {
  const { db, once, queue, files, task } = parts;
  const find = (trx: Db, owner: Owner) => trx.selectFrom("clone").select(["id", "job_id"]).where("owner", "=", owner);

  return {
    async create(owner, request, key) {
      const { tier, characters } = await requireAllowed(parts, owner, request);
      const voices = await findVoices(parts, owner, request);
      const result = await once({ owner, call: "clone", key, request }, async (trx) => {
        const { id, turn } = await trx
          .insertInto("clone")
          .values({ ...toRow(request), ...voices, owner, characters })
          .returning(["id", "turn"])
          .executeTakeFirstOrThrow();
        await task.start(trx, { id, turn, owner, tier, characters });
        return getClone({ db: trx, queue }, id);
      });
      if (result.kind === "other-request") throw new AppError("bad-request", "key of another request", { status: 409 });
      if (result.first) queue.wake();
      return result.answer;
    },
    list: (owner, query) => listClones(parts, owner, query),
    listOf: async (owner) => (await listClones(parts, owner, everything)).list,
    async remove(owner, ids) {
      const named = toUuids(ids);
      if (named.length === 0) return;
      await db.transaction().execute(async (trx) => {
        await removeClones(trx, parts, await find(trx, owner).where("id", "in", named).orderBy("id").execute());
      });
      queue.wake();
      await files.removeExpired();
    },
    async cancel(owner, taskId) {
      const ids = toUuids([taskId]);
      if (ids.length === 0) return false;
      const { isFound, isRunning } = await db.transaction().execute(async (trx) => {
        const clones = await find(trx, owner).where("id", "in", ids).execute();
        return { isFound: clones.length > 0, isRunning: await task.stop(trx, clones) };
      });
      if (isRunning) queue.wake();
      return isFound;
    },
    retry: (owner, taskId) => retryClone(parts, owner, taskId),
    async forgetRole(trx, owner, roleId) {
      await removeClones(trx, parts, await find(trx, owner).where("role_id", "=", roleId).orderBy("id").execute());
    },
    async countByRole(owner, roleIds) {
      const made = db.selectFrom("clone").where("owner", "=", owner).where("role_id", "in", roleIds).groupBy("role_id");
      const rows = await made.select((eb) => ["role_id", eb.fn.countAll<string>().as("count")]).execute();
      return new Map(rows.map(({ role_id, count }) => [role_id ?? "", Number(count)]));
    },
    counts: { clones: async (trx, owner) => (await find(trx, owner).execute()).length },
    async handOver(trx, from, to) {
      await trx.updateTable("clone").set({ owner: to }).where("owner", "=", from).execute();
    },
    async forget(trx, owner) {
      await forgetClones(trx, parts, await find(trx, owner).orderBy("id").execute());
    },
  };
}

/** Voice and tone are kept as ids: see findVoices. */
function toRow({ content, transcript, style, genre, ext, ...rest }: CloneRequest) {
  const weights = Object.entries(ext ?? {}).filter(([, weight]) => weight !== undefined);
  return {
    content,
    genre,
    speed: rest.speed,
    pitch: rest.pitch ?? null,
    volume: rest.volume ?? null,
    transcript: transcript ?? null,
    style: style ?? "",
    ext: weights.length > 0 ? JSON.stringify(Object.fromEntries(weights)) : null,
  };
}
