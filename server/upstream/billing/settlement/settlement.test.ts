import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AttemptState, OrderState } from "../../db/tables/payments";
import { type Case, judgePayment } from "./settlement";

const merchant = { merchantId: "m", appId: "a" };
const price = 9900;
const pay = (transactionId: string, more: Partial<Case["payment"]> = {}) => ({
  transactionId,
  amountFen: price,
  currency: "CNY",
  ...merchant,
  ...more,
});
const open = { state: "OPEN" as const, amountFen: price, isPaid: false };
const paid = { state: "PAID" as const, amountFen: price, isPaid: true };
const closed = { state: "CLOSED" as const, amountFen: price, isPaid: false };
const attempt = (state: AttemptState, transactionId: string | null = null) => ({ state, transactionId });

test("a payment for a deleted account is refunded, unless the amount differs", () => {
  const gone = { order: closed, attempt: attempt("CLOSED"), isBuyerGone: true, merchant };
  const expected = { outcome: "refund-due", attempt: "REFUND_DUE", order: "CLOSED", anomaly: "late" };
  expect(judgePayment({ ...gone, payment: pay("t") })).toEqual(expected);
  expect(judgePayment({ ...gone, payment: pay("t", { amountFen: 1 }) })).toMatchObject({ outcome: "suspended" });
});

test.each([
  ["in time", open, attempt("PENDING"), pay("t"), { outcome: "settled", attempt: "PAID", order: "PAID" }],
  ["before the gateway's answer", open, attempt("INIT"), pay("t"), { outcome: "settled", order: "PAID" }],
  ["after the order closed", closed, attempt("CLOSED"), pay("t"), { outcome: "settled", anomaly: "late" }],
  ["after another attempt paid", paid, attempt("PENDING"), pay("t"), { outcome: "refund-due", anomaly: "double" }],
  ["late and double", paid, attempt("CLOSED"), pay("t"), { outcome: "refund-due", attempt: "REFUND_DUE" }],
  [
    "with another amount",
    open,
    attempt("PENDING"),
    pay("t", { amountFen: 1 }),
    { outcome: "suspended", order: "OPEN" },
  ],
  ["in another currency", open, attempt("PENDING"), pay("t", { currency: "USD" }), { attempt: "SUSPENSE" }],
  [
    "to another merchant",
    open,
    attempt("PENDING"),
    pay("t", { merchantId: "x" }),
    { outcome: "refused", order: "OPEN" },
  ],
  ["to another app", paid, attempt("PAID", "t"), pay("t", { appId: "x" }), { outcome: "refused" }],
  ["again", paid, attempt("PAID", "t"), pay("t"), { outcome: "same", attempt: "PAID", order: "PAID" }],
  ["again after its refund", paid, attempt("REFUNDED", "t"), pay("t"), { outcome: "same", attempt: "REFUNDED" }],
  ["again by another transaction", paid, attempt("PAID", "t"), pay("u"), { outcome: "conflict", attempt: "PAID" }],
] as const)("a payment %s has the expected outcome", (...[, order, one, payment, expected]) => {
  expect(judgePayment({ order, attempt: one, payment, merchant })).toMatchObject(expected);
});

describe("the history of one order", () => {
  const attempts = 3;
  const attemptIndex = fc.nat({ max: attempts - 1 });
  const event = fc.oneof(
    fc.record({
      kind: fc.constant("paid" as const),
      attempt: attemptIndex,
      transaction: fc.constantFrom("", "again"),
      change: fc.constantFrom<Partial<Case["payment"]>>({}, {}, {}, { amountFen: 1 }, { merchantId: "x" }),
    }),
    fc.record({ kind: fc.constant("close-attempt" as const), attempt: attemptIndex }),
    fc.record({ kind: fc.constant("expire" as const) }),
    fc.record({ kind: fc.constant("refunded" as const), attempt: attemptIndex }),
  );

  test("includes at most one payment, accounts for every fen and never reverts a payment", () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 25 }), (events) => {
        let order: { state: OrderState; amountFen: number; isPaid: boolean } = { ...open };
        const rows = Array.from({ length: attempts }, () => attempt("PENDING") as Case["attempt"]);
        let grants = 0;
        const arrived = new Set<string>();
        for (const one of events) {
          if (one.kind === "expire") {
            if (order.state === "OPEN") order = { ...order, state: "CLOSED" };
            continue;
          }
          const row = rows[one.attempt] as Case["attempt"];
          if (one.kind === "close-attempt") {
            if (row.state === "PENDING") row.state = "CLOSED";
            continue;
          }
          if (one.kind === "refunded") {
            if (row.state === "REFUND_DUE") row.state = "REFUNDED";
            continue;
          }
          const payment = pay(`t${one.attempt}${one.transaction}`, one.change);
          const before = { order: { ...order }, row: { ...row } };
          const verdict = judgePayment({ order, attempt: row, payment, merchant });
          const isFirst = row.transactionId === null && verdict.outcome !== "refused";
          row.state = verdict.attempt;
          if (isFirst) row.transactionId = payment.transactionId;
          order = { ...order, state: verdict.order, isPaid: order.isPaid || verdict.outcome === "settled" };
          if (verdict.outcome === "settled") grants++;
          if (isFirst) arrived.add(payment.transactionId);
          if (before.order.isPaid) expect(order.state).toBe(before.order.state);
          if (verdict.outcome === "same") expect(row).toEqual(before.row);
          if (!isFirst) expect(row.state).toBe(before.row.state);
          // A repeated notification changes nothing.
          const after = { order, attempt: { ...row } };
          const again = judgePayment({ ...after, payment, merchant });
          expect([again.attempt, again.order]).toEqual([row.state, order.state]);
        }
        expect(grants).toBe(order.isPaid ? 1 : 0);
        const kept = rows.filter(({ transactionId }) => transactionId !== null);
        expect(kept).toHaveLength(arrived.size);
        const places = kept.filter(({ state }) => ["PAID", "REFUND_DUE", "REFUNDED", "SUSPENSE"].includes(state));
        expect(places).toHaveLength(kept.length);
        expect(kept.filter(({ state }) => state === "PAID")).toHaveLength(grants);
      }),
      { numRuns: 2000 },
    );
  });
});
