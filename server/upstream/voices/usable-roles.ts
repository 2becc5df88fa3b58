import { sql } from "kysely";
import type { CallData } from "~server/contract/calls/table";
import type { Db } from "../db/database";
import type { Owner } from "../owner";

interface UsableRole {
  id: string;
  name: string;
  /** Parameters of a drawn portrait. */
  portrait: unknown;
}

export type UsableRoles = ReturnType<typeof createUsableRoles>;

const listedMax = 200;

const usable = (db: Db, owner: Owner) =>
  db
    .selectFrom("role")
    .where("status", "=", 2)
    .where((eb) => eb.or([eb("owner", "=", owner), eb("is_shown", "=", true)]));

/** The roles that a caller may speak with. */
export function createUsableRoles(db: Db) {
  return {
    /** The caller's own role or one on the square; null for every other, and for a role that is not ready. */
    async findUsable(owner: Owner, roleId: string, trx: Db = db): Promise<UsableRole | null> {
      const role = usable(trx, owner).select(["id", "name", "portrait"]).where("id", "=", roleId);
      return (await role.executeTakeFirst()) ?? null;
    },
    /** A usable role by id or name, the caller's own first, else an own one that is still being learned; null for neither. */
    async findByName(owner: Owner, idOrName: string): Promise<{ id: string; isReady: boolean } | null> {
      const role = await db
        .selectFrom("role")
        .select(["id", "status"])
        .where((eb) => eb.or([eb("id", "=", idOrName), eb("name", "=", idOrName)]))
        .where((eb) => eb.or([eb("owner", "=", owner), eb("is_shown", "=", true).and("status", "=", 2)]))
        .where("status", "in", [1, 2])
        .orderBy("status", "desc")
        .orderBy((eb) => eb("id", "=", idOrName), "desc")
        .orderBy((eb) => eb("owner", "is not distinct from", owner), "desc")
        .orderBy("created_at")
        .limit(1)
        .executeTakeFirst();
      return role ? { id: role.id, isReady: role.status === 2 } : null;
    },
    /** The caller's own, then the most used of the square. */
    async list(owner: Owner): Promise<CallData<"speechVoices">["data"]> {
      const named = ["id", "name", "language", "gender"] as const;
      const own = db.selectFrom("role").select(named).where("owner", "=", owner).where("status", "=", 2);
      const others = db.selectFrom("role").select(named).where("is_shown", "=", true).where("status", "=", 2);
      const mine = await own.orderBy("created_at", "desc").limit(listedMax).execute();
      const shown = await others.orderBy("use_num", "desc").orderBy("id").limit(listedMax).execute();
      const isMine = new Set(mine.map(({ id }) => id));
      return [...mine, ...shown.filter(({ id }) => !isMine.has(id))].map((role) => ({
        ...role,
        is_own: isMine.has(role.id),
      }));
    },
    /** Does nothing for a deleted role. */
    async countUse(trx: Db, roleId: string) {
      await sql`update role set use_num = use_num + 1 where id = ${roleId}`.execute(trx);
    },
  };
}
