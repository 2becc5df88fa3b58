import type { Db } from "../db/database";
import type { LedgerKind, QuotaBucketTable } from "../db/tables/billing";

interface LedgerLine {
  accountId: string;
  kind: LedgerKind;
  /** The task, the out-trade number or the refund number; with the order and `kind` it is unique. */
  ref: string;
  at: Date;
  orderId?: string | null;
  bucket?: QuotaBucketTable["bucket"];
  /** The bucket's period. */
  period?: string;
  /** Signed change of available characters. */
  characters?: number;
  /** Signed amount received. */
  amountFen?: number;
}

/** Appends a line in the caller's transaction. Throws for a duplicate line of an order. */
export async function writeLedger(trx: Db, line: LedgerLine): Promise<void> {
  await trx
    .insertInto("ledger")
    .values({
      account_id: line.accountId,
      kind: line.kind,
      ref: line.ref,
      created_at: line.at,
      order_id: line.orderId ?? null,
      bucket: line.bucket ?? "",
      period: line.period ?? "",
      characters: line.characters ?? 0,
      amount_fen: line.amountFen ?? 0,
    })
    .execute();
}

/**
 * Locks the account's wallet until the transaction ends. Serialises changes of orders, time and characters across
 * servers. Lock it first, to avoid deadlocks. Foreign keys to the wallet do not wait for the lock.
 */
export async function lockWallet(trx: Db, accountId: string): Promise<void> {
  await trx
    .insertInto("wallet")
    .values({ account_id: accountId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await trx.selectFrom("wallet").select("account_id").where("account_id", "=", accountId).forNoKeyUpdate().execute();
}

/** Whether the account was deleted; call with the wallet locked. */
export async function isClosed(trx: Db, accountId: string): Promise<boolean> {
  const wallet = trx.selectFrom("wallet").select("closed_at").where("account_id", "=", accountId);
  return ((await wallet.executeTakeFirst())?.closed_at ?? null) !== null;
}
