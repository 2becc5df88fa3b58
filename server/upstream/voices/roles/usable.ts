import { sql } from "kysely";
import type { Db } from "../../db/database";
import type { Owner } from "../ports";

/** A role as what speaks with it shows it. */
export interface UsableRole {
  id: string;
  name: string;
  /** Parameters of a drawn portrait. */
  portrait: unknown;
}

export interface UsableRoles {
  /** The caller's own, or one on the square; null for others, for one still being learned, and for none. */
  findUsable(owner: Owner, roleId: string, trx?: Db): Promise<UsableRole | null>;
  /** One more use, of a role that may be gone. */
  countUse(trx: Db, roleId: string): Promise<void>;
}

/** The roles people may speak with. */
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
