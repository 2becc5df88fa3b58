import type { Db } from "../db/database";
import { AppError } from "../errors";
import { grantPack } from "./characters/packs";
import type { Reconcile } from "./jobs/reconcile";
import { writeLedger } from "./ledger";
import { grantTime } from "./membership/grants";
import type { Tier } from "./membership/membership";
import { dayBounds } from "./month";
import { type FiledMistake, listMistakes, type OrderFilter, type OrderRecord, searchOrders } from "./orders/search";
import type { BillingParts, Mistake } from "./parts";
import type { ProductRow } from "./products";
import { completeRefund, decideRefund, type Refund } from "./settlement/refunds";
import { lockWallet } from "./wallet";

export type Gift = { tier: Tier; days: number } | { characters: number };

export interface NewPackage {
  code: string;
  number: number;
  packageType: 1 | 2 | 3;
  name: string;
  description: string;
  badge?: string;
  priceFen: number;
  originalFen?: number | null;
  days: number;
  monthly?: boolean;
}

/** What people who run the product may do to money and time, and see. Every act leaves an audit row in its own transaction. */
export interface Operations {
  grant(accountId: string, gift: Gift): Promise<void>;
  /** All that is left of the order's money where `refundFen` is absent. */
  refund(orderId: string, refundFen?: number): Promise<Refund>;
  /** The gateway gave the refund up and the money was sent back by other ways. */
  completeRefund(number: string): Promise<void>;
  reconcile(day: string): Promise<Mistake[]>;
  /** Throws bad-request for a code or number that is taken, by a withdrawn package too. */
  createPackage(product: NewPackage): Promise<void>;
  /** For what is ordered from now on. */
  pricePackage(code: string, priceFen: number): Promise<void>;
  withdrawPackage(code: string): Promise<void>;
  orders(filter: OrderFilter): Promise<OrderRecord[]>;
  /** Filed on a day of Asia/Shanghai, `YYYY-MM-DD`. */
  mistakes(day: string): Promise<FiledMistake[]>;
  /** Withdrawn ones too, by number. */
  packages(): Promise<ProductRow[]>;
}

type Parts = Pick<BillingParts, "db" | "queue" | "now"> & { reconcile: Reconcile };

/** The same for one person: `operator` is who the audit names. */
export function createOperations({ db, queue, now, reconcile }: Parts, operator: string): Operations {
  const audited = <T>(action: string, { target, detail }: { target: string; detail: object }, work: Work<T>) =>
    db.transaction().execute(async (trx) => {
      const result = await work(trx);
      await trx
        .insertInto("audit")
        .values({ operator, action, target, detail: JSON.stringify(detail) })
        .execute();
      return result;
    });
  const changePackage = (action: string, code: string, change: { price_fen?: number; withdrawn_at?: Date }) =>
    audited(action, { target: code, detail: change }, async (trx) => {
      const known = await trx.selectFrom("product").select("withdrawn_at").where("code", "=", code).executeTakeFirst();
      if (!known) throw new AppError("not-found", "no such package");
      const onSale = trx.updateTable("product").set(change).where("code", "=", code).where("withdrawn_at", "is", null);
      const { numUpdatedRows } = await onSale.executeTakeFirst();
      if (numUpdatedRows !== 1n) throw new AppError("bad-request", "the package is withdrawn");
    });
  return {
    grant: (accountId, gift) =>
      audited("grant", { target: accountId, detail: gift }, (trx) =>
        give(trx, { accountId, gift, operator, at: now() }),
      ),
    async refund(orderId, refundFen) {
      const refund = await audited("refund", { target: orderId, detail: { refundFen } }, async (trx) => {
        const order = await trx.selectFrom("pay_order").selectAll().where("id", "=", orderId).executeTakeFirst();
        if (!order) throw new AppError("not-found", "no such order");
        return decideRefund({ trx, queue }, { order, refundFen, at: now() });
      });
      queue.wake();
      return refund;
    },
    completeRefund: (number) =>
      audited("complete-refund", { target: number, detail: {} }, async (trx) => {
        const stuck = trx
          .selectFrom("pay_refund")
          .selectAll()
          .where("number", "=", number)
          .where("state", "=", "STUCK");
        const refund = await stuck.executeTakeFirst();
        if (!refund) throw new AppError("not-found", "no such refund that is stuck");
        await completeRefund(trx, { refund, at: now() });
      }),
    async reconcile(day) {
      const found = await reconcile(day);
      await audited("reconcile", { target: day, detail: { mistakes: found.length } }, async () => {});
      return found;
    },
    createPackage: (product) =>
      audited("create-package", { target: product.code, detail: product }, (trx) => insertPackage(trx, product)),
    pricePackage: (code, priceFen) => changePackage("price-package", code, { price_fen: priceFen }),
    withdrawPackage: (code) => changePackage("withdraw-package", code, { withdrawn_at: now() }),
    orders: (filter) => searchOrders(db, filter),
    mistakes: (day) => listMistakes(db, dayBounds(day)),
    packages: () => db.selectFrom("product").selectAll().orderBy("number").execute(),
  };
}

type Work<T> = (trx: Db) => Promise<T>;

const daySeconds = 86_400;

interface Giving {
  accountId: string;
  gift: Gift;
  operator: string;
  at: Date;
}

async function give(trx: Db, { accountId, gift, operator, at }: Giving) {
  await lockWallet(trx, accountId);
  if ("characters" in gift) {
    const { characters } = gift;
    await grantPack(trx, { accountId, orderId: null, characters, ref: `ops:${operator}`, at });
    return;
  }
  const { tier, days } = gift;
  await grantTime(trx, { accountId, orderId: null, tier, seconds: days * daySeconds, monthly: false, at });
  await writeLedger(trx, { accountId, kind: "grant", bucket: tier, ref: `ops:${operator}`, at });
}

async function insertPackage(trx: Db, product: NewPackage) {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto("product")
    .values({
      code: product.code,
      number: product.number,
      package_type: product.packageType,
      name: product.name,
      description: product.description,
      badge: product.badge ?? "",
      price_fen: product.priceFen,
      original_fen: product.originalFen ?? null,
      days: product.days,
      monthly: product.monthly ?? false,
      withdrawn_at: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows !== 1n) throw new AppError("bad-request", "a package has this code or number already");
}
