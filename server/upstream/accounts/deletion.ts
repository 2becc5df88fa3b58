import type { Selectable } from "kysely";
import type { CallData } from "~server/contract/calls/table";
import type { Db } from "../db/database";
import { type AccountDeletionTable } from "../db/tables/accounts";
import { AppError } from "../errors";
import { redeemCode } from "./codes";
import { hashOf } from "./keys";
import type { AccountParts } from "./parts";

type Receipt = CallData<"userDelete">;

export const eraseKind = "account-erase";
/** By then whoever was writing for the account has stopped. */
const eraseAgainSeconds = 120;

const askedBy = (token: string, key: string) => hashOf(`${hashOf(token)}\n${key}`);

/** What the same call was answered before; null for a first one. */
export async function findReceipt(db: Db, token: string, key: string): Promise<Receipt | null> {
  const receipts = db.selectFrom("account_deletion").selectAll().where("asked_by", "=", askedBy(token, key));
  const row = await receipts.executeTakeFirst();
  return row ? toReceipt(row) : null;
}

/**
 * Forgets the account in one transaction and then its files; what a fault leaves of them the job takes. Money's books stay,
 * without a link to a person. The phone's trials and its limits of codes stay. Null where it was deleted meanwhile. Throws
 * code-wrong unless the code is the phone's last one.
 */
export async function removeAccount(
  { db, keys, queue, belongings, trials }: AccountParts,
  { accountId, token, key, code }: { accountId: string; token: string; key: string; code: string },
): Promise<Receipt | null> {
  const owner = `account:${accountId}` as const;
  const receipt = await db.transaction().execute(async (trx) => {
    const account = trx.selectFrom("account").select("phone_hash").where("id", "=", accountId).forUpdate();
    const found = await account.executeTakeFirst();
    // Two calls at once: the second one waited here.
    if (!found) return findReceipt(trx, token, key);
    const redeemed = await redeemCode(trx, keys, { phoneHash: found.phone_hash, code, idempotencyKey: undefined });
    // Returned, not thrown: the wrong try is committed.
    if (!redeemed) return "code-wrong";
    await trials.keepForPhone(trx, owner, found.phone_hash);
    const removed = await belongings.forget(trx, owner);
    await trx.deleteFrom("account").where("id", "=", accountId).execute();
    await queue.enqueue(trx, { kind: eraseKind, payload: { owner }, delaySeconds: eraseAgainSeconds });
    const row = await trx
      .insertInto("account_deletion")
      .values({ asked_by: askedBy(token, key), removed: JSON.stringify(removed) })
      .returningAll()
      .executeTakeFirstOrThrow();
    return toReceipt(row);
  });
  if (receipt === "code-wrong") throw new AppError("code-wrong", "wrong, dead or used code");
  await belongings.erase(owner);
  return receipt;
}

function toReceipt({ id, deleted_at, removed }: Selectable<AccountDeletionTable>): Receipt {
  const local = new Date(deleted_at.getTime() + 8 * 3_600_000).toISOString().slice(0, 19);
  return { receiptId: id, deletedAt: `${local}+08:00`, removed: removed as Receipt["removed"] };
}
