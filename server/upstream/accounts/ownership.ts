import type { CallData } from "~server/contract/calls/table";
import type { Db } from "../db/database";
import type { MediaFiles } from "../media/files";
import type { Owner } from "../owner";

/** Rows and files of an owner in all domains. */
export type Ownership = ReturnType<typeof createOwnership>;

/** A domain that stores rows by owner. */
interface OwnedRows {
  /** Number of rows to delete, for the receipt. */
  counts?: Partial<Record<"roles" | "clones" | "dubs", (trx: Db, owner: Owner) => Promise<number>>>;
  /** Absent where visitors have no rows. */
  handOver?(trx: Db, from: Owner, to: Owner): Promise<void>;
  forget(trx: Db, owner: Owner): Promise<void>;
}

interface OwnershipParts {
  /** In the order of their row locks. */
  keepers: OwnedRows[];
  /** Stored responses of idempotent calls: not handed over. */
  answers: Pick<OwnedRows, "forget">;
  files: Pick<MediaFiles, "handOver" | "countOf" | "removeAllOf">;
  /** Removes the bytes of rows that were marked as stale. */
  removeStale(): Promise<void>;
}

/** Hands over or deletes everything that an owner has in any domain. */
export function createOwnership({ keepers, answers, files, removeStale }: OwnershipParts) {
  return {
    /** In the login's transaction. */
    async handOver(trx: Db, from: Owner, to: Owner) {
      for (const keeper of keepers) await keeper.handOver?.(trx, from, to);
      await files.handOver(trx, from, to);
    },
    /** Forgets all rows in the deletion's transaction but those of files, which it counts. */
    async forget(trx: Db, owner: Owner): Promise<CallData<"userDelete">["removed"]> {
      const removed = { roles: 0, clones: 0, dubs: 0 };
      for (const { counts: { roles, clones, dubs } = {}, forget } of keepers) {
        removed.roles += (await roles?.(trx, owner)) ?? 0;
        removed.clones += (await clones?.(trx, owner)) ?? 0;
        removed.dubs += (await dubs?.(trx, owner)) ?? 0;
        await forget(trx, owner);
      }
      await answers.forget(trx, owner);
      return { ...removed, files: await files.countOf(trx, owner) };
    },
    /** Files with their bytes. */
    async erase(owner: Owner) {
      await files.removeAllOf(owner);
      await removeStale();
    },
  };
}
