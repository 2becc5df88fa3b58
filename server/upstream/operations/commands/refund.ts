import type { Refund } from "../../billing/rows";
import { formatYuan } from "../format";
import { defineOperation, fieldOf, type OperationOutcome } from "../operation";

const sending = "the server sends it as soon as it runs";
const yuanOf = ({ amount_fen }: Refund) => `${formatYuan(amount_fen)} yuan`;

const toOutcome = ({ number, amount_fen, state }: Refund, message: string, more: object = {}): OperationOutcome => ({
  data: { ...more, number, amountFen: amount_fen, state },
  message,
});

const refundActs = [
  {
    way: "retry",
    act: "retryRefund",
    of: "a refund",
    summary: "ask the gateway for a refund now, and send what it does not know; for DUE, SENT and STUCK",
    describe: ({ number }: Refund) => `refund ${number} is asked for again at once`,
  },
  {
    way: "cancel",
    act: "cancelRefund",
    of: "a refund",
    summary: "cancel a refund that the gateway does not have; the days or characters come back",
    describe: (refund: Refund) =>
      `refund ${refund.number} of ${yuanOf(refund)} is cancelled; what it took back is granted again`,
  },
  {
    way: "complete",
    act: "completeRefund",
    of: "a refund",
    summary: "book a refund whose money went back by other means; nothing is sent",
    needsSecond: true,
    describe: ({ number }: Refund) => `refund ${number} is complete`,
  },
  {
    way: "payment",
    act: "returnPayment",
    of: "a payment",
    summary: "return a payment in suspense or in conflict, by its out-trade number or the gateway's transaction",
    describe: (refund: Refund) => `refund ${refund.number} returns the payment of ${yuanOf(refund)}; ${sending}`,
  },
] as const;

const money = { roles: ["finance"], needsReason: true, needsFreshCode: true } as const;
const orderField = (name: string) => fieldOf.id(name, "an order's id", "ORDER");

export const refundOperations = [
  defineOperation({
    name: "refund",
    summary: "send the money of an order back, all that is left or a part",
    cli: { words: ["refund"], takes: ["order"] },
    ...money,
    preview: "order",
    notes: [
      "Without --amount all that is left of what was paid; the order's days or characters are shortened by that share.",
      "A refund that the gateway closed (STUCK): --cancel it and refund the order anew. `orders NUMBER` shows how each stands.",
    ],
    fields: { order: orderField("ORDER"), amount: fieldOf.yuan("--amount").optional() },
    async run({ operations }, { order, amount }) {
      const done = await operations.refund(order, amount);
      return toOutcome(done, `refund ${done.number} of ${yuanOf(done)} is decided; ${sending}`, { orderId: order });
    },
  }),
  ...refundActs.map(({ way, act, of, describe, ...row }) =>
    defineOperation({
      ...row,
      name: `refund-${way}`,
      cli: { words: ["refund"], option: { name: way, field: "number" } },
      ...money,
      fields: { number: fieldOf.number(`--${way}`, `the number of ${of}`, of === "a refund" ? "REFUND" : "NUMBER") },
      async run({ operations }, { number }) {
        const done = await operations[act](number);
        return toOutcome(done, describe(done));
      },
    }),
  ),
  defineOperation({
    name: "refund-decline",
    summary: "answer a payer who asked for a refund with no; they read the reason and may ask again",
    cli: { words: ["refund"], option: { name: "decline", field: "order" } },
    roles: ["finance", "support"],
    needsReason: true,
    fields: { order: orderField("--decline") },
    async run({ operations }, { order }) {
      await operations.declineRefund(order);
      return { data: { orderId: order }, message: "the refund that the payer asked for is declined" };
    },
  }),
];
