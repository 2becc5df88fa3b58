import { sql } from "kysely";
import type { Db } from "../db/database";
import type { Owner } from "../owner";

interface UsableRole {
  id: string;
  name: string;
  /** Parameters of a drawn portrait. */
  portrait: unknown;
}

export interface UsableRoles {
  /** The caller's own role or one on the square; null for every other, and for a role that is not ready. */
  findUsable(owner: Owner, roleId: string, trx?: Db): Promise<UsableRole | null>;
  /** Does nothing for a deleted role. */
  countUse(trx: Db, roleId: string): Promise<void>;
}

/** The roles that a caller may speak with. */
export function createUsableRoles(db: Db): UsableRoles {
  return {
    async findUsable(owner, roleId, trx = db) {
      const role = await trx
        .selectFrom("role")
        .select(["id", "name", "portrait"])
        .where("id", "=", roleId)
        .where("status", "=", 2)
        .where((eb) => eb.or([eb("owner", "=", owner), eb("is_shown", "=", true)]))
        .executeTakeFirst();
      return role ?? null;
    },
    async countUse(trx, roleId) {
      await sql`update role set use_num = use_num + 1 where id = ${roleId}`.execute(trx);
    },
  };
}
