import { dayOf } from "../calendar";
import type { Db } from "../db/database";
import { AppError } from "../errors";
import { type AnomalyFilter, listAnomalies, type RecordedAnomaly, resolveAnomaly } from "./anomalies";
import { type Gift, give } from "./gifts";
import type { Reconcile } from "./jobs/reconcile";
import { decideInvoice, type InvoiceFilter, listInvoices } from "./orders/invoices";
import { type OrderFilter, searchOrders } from "./orders/list";
import type { BillingParts } from "./parts";
import type { ProductRow } from "./products";
import { type Audited, createRefundOperations } from "./refund-operations";

export interface NewPackage extends Pick<ProductRow, "code" | "number" | "name" | "description" | "badge" | "days"> {
  packageType: ProductRow["package_type"];
  priceFen: number;
  originalFen: number | null;
  monthly: boolean;
}

export interface PackageChange {
  price_fen?: number;
  name?: string | undefined;
  description?: string | undefined;
  badge?: string | undefined;
}

/** Does other work in one transaction with its audit row. */
type Audit = <T>(action: string, target: AuditTarget<T>, work: AuditedWork<T>) => Promise<T>;

/** Operators' acts on money and membership. Each writes an audit row in its own transaction. */
export type Operations = ReturnType<typeof createOperations>;

type BillingOperationParts = Pick<BillingParts, "db" | "queue" | "now" | "gateways"> & { reconcile: Reconcile };

/** The operator and the reason, for the audit rows. */
export interface Actor {
  operator: string;
  reason: string;
}

/** Operations of one operator for one reason. */
export function createOperations(parts: BillingOperationParts, actor: Actor) {
  const { db, now, reconcile } = parts;
  const { operator, reason } = actor;
  const audited: Audit = (action, { target, detail }, work) =>
    db.transaction().execute(async (trx) => {
      const result = await work(trx);
      const facts = typeof detail === "function" ? detail(result) : detail;
      await trx
        .insertInto("audit")
        .values({ operator, action, target, detail: JSON.stringify({ ...facts, ...(reason && { reason }) }) })
        .execute();
      return result;
    });
  const refundAudited: Audited = (action, target, work, detail) =>
    audited(
      action,
      { target, detail: ({ number, amount_fen }) => ({ number, amountFen: amount_fen, ...detail }) },
      work,
    );
  const refunds = createRefundOperations(parts, refundAudited);
  return {
    ...refunds,
    audited,
    grant: (accountId: string, gift: Gift) =>
      audited("grant", { target: accountId, detail: gift }, (trx) =>
        give(trx, { accountId, gift, ref: `ops:${operator}`, at: now() }),
      ),
    /** The day that is not over yet, `YYYY-MM-DD`. */
    today: () => dayOf(now()),
    async reconcile(day: string) {
      const found = await reconcile(day);
      await audited("reconcile", { target: day, detail: { anomalies: found.length } }, async () => {});
      return found;
    },
    /** Resolves an anomaly. Throws not-found, or bad-request for a resolved one. */
    resolveAnomaly: (id: string): Promise<RecordedAnomaly> =>
      audited("resolve-anomaly", { target: id, detail: ({ kind, ref }) => ({ kind, ref }) }, (trx) =>
        resolveAnomaly(trx, { id, operator, resolution: reason, at: now() }),
      ),
    ...createPackageOperations(audited, now),
    /** Answers a payer's request for a refund with no and the reason, which the payer reads. Throws not-found where none is open. */
    declineRefund: (orderId: string) =>
      audited("decline-refund", { target: orderId, detail: {} }, async (trx) => {
        const asked = trx
          .updateTable("pay_order")
          .set({ refund_asked_at: null, refund_declined: reason })
          .where("id", "=", orderId);
        const { numUpdatedRows } = await asked.where("refund_asked_at", "is not", null).executeTakeFirst();
        if (numUpdatedRows === 0n) throw new AppError("not-found", "no refund is asked for of this order");
      }),
    orders: (filter: OrderFilter) => searchOrders(db, filter),
    invoices: (filter: InvoiceFilter) => listInvoices(db, filter),
    /** Throws not-found where no invoice is asked for. */
    issueInvoice: (orderId: string, number: string) =>
      audited("issue-invoice", { target: orderId, detail: { number } }, (trx) =>
        decideInvoice(trx, orderId, { state: "ISSUED", number }, now()),
      ),
    declineInvoice: (orderId: string) =>
      audited("decline-invoice", { target: orderId, detail: {} }, (trx) =>
        decideInvoice(trx, orderId, { state: "DECLINED" }, now()),
      ),
    anomalies: (filter: AnomalyFilter) => listAnomalies(db, filter),
    /** Sorted by number, including withdrawn ones. */
    packages: () => db.selectFrom("product").selectAll().orderBy("number").execute(),
  };
}

function createPackageOperations(audited: Audit, now: BillingParts["now"]) {
  /** Affects future orders only. Throws not-found, and bad-request for a withdrawn package, or one on sale to restore. */
  const changePackage = (action: string, code: string, change: PackageChange & { withdrawn_at?: Date | null }) =>
    audited(action, { target: code, detail: change }, async (trx) => {
      const known = await trx.selectFrom("product").select("withdrawn_at").where("code", "=", code).executeTakeFirst();
      if (!known) throw new AppError("not-found", "no such package");
      const isRestored = change.withdrawn_at === null;
      const row = trx.updateTable("product").set(change).where("code", "=", code);
      const fitting = row.where("withdrawn_at", isRestored ? "is not" : "is", null);
      const { numUpdatedRows } = await fitting.executeTakeFirst();
      if (numUpdatedRows !== 1n)
        throw new AppError("bad-request", `the package is ${isRestored ? "on sale" : "withdrawn"}`);
    });
  return {
    /** Throws bad-request for a code or number that is taken, by a withdrawn package too. */
    createPackage: (product: NewPackage) =>
      audited("create-package", { target: product.code, detail: product }, (trx) => insertPackage(trx, product)),
    changePackage,
    withdrawPackage: (code: string) => changePackage("withdraw-package", code, { withdrawn_at: now() }),
    restorePackage: (code: string) => changePackage("restore-package", code, { withdrawn_at: null }),
  };
}

export interface AuditTarget<T> {
  target: string;
  /** Further detail of the audit row that depends on the act's result. */
  detail: object | ((result: T) => object);
}

export type AuditedWork<T> = (trx: Db) => Promise<T>;

async function insertPackage(trx: Db, { packageType, priceFen, originalFen, ...product }: NewPackage) {
  const columns = { ...product, package_type: packageType, price_fen: priceFen, original_fen: originalFen };
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto("product")
    .values({ ...columns, withdrawn_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows !== 1n) throw new AppError("bad-request", "a package has this code or number already");
}
