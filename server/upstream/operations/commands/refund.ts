import type { RefundOperations } from "../../billing/refund-operations";
import type { Refund } from "../../billing/rows";
import { type Act, type Command, type CommandInput, type Report, UsageError } from "../command";
import { formatYuan } from "../format";
import { parseId, parseNumber, parseYuan, required, requireWords } from "../parse";

type Way = "retry" | "cancel" | "complete" | "payment";

interface WayOut {
  act: keyof RefundOperations;
  name: string;
  describe(refund: Refund): string;
}

const sending = "the server sends it as soon as it runs";
const yuanOf = ({ amount_fen }: Refund) => `${formatYuan(amount_fen)} yuan`;

const ways: Record<Way, WayOut> = {
  retry: {
    act: "retryRefund",
    name: "a refund",
    describe: ({ number }) => `refund ${number} is asked for again at once`,
  },
  cancel: {
    act: "cancelRefund",
    name: "a refund",
    describe: (refund) =>
      `refund ${refund.number} of ${yuanOf(refund)} is cancelled; what it took back is granted again`,
  },
  complete: { act: "completeRefund", name: "a refund", describe: ({ number }) => `refund ${number} is complete` },
  payment: {
    act: "returnPayment",
    name: "a payment",
    describe: (refund) => `refund ${refund.number} returns the payment of ${yuanOf(refund)}; ${sending}`,
  },
};

export const refund: Command = {
  summary: "send money back, and see a refund through that does not get there",
  forms: [
    "ORDER [--amount YUAN] --reason TEXT",
    "--retry REFUND --reason TEXT",
    "--cancel REFUND --reason TEXT",
    "--complete REFUND --reason TEXT",
    "--payment NUMBER --reason TEXT",
    "--decline ORDER --reason TEXT",
  ],
  notes: [
    "ORDER: without --amount all that is left of what was paid; the order's days or characters are shortened by that share.",
    "--retry: asks the gateway now, and sends what it does not know. For DUE, SENT and STUCK.",
    "--cancel: the gateway is asked first; if it has no such refund, nothing is sent and the days or characters come back.",
    "--complete: the money went back already, by other means or in the gateway's console; nothing is sent.",
    "--payment: returns a payment in suspense or in conflict; NUMBER is its out-trade number or the gateway's transaction.",
    "--decline: the payer who asked for a refund (`orders --refund-asked`) gets none, and may ask again.",
    "A refund that the gateway closed (STUCK): --cancel it and refund the order anew. `orders NUMBER` shows how each stands.",
  ],
  values: ["amount", "decline", ...Object.keys(ways)],
  read(input) {
    required(input.reason, "--reason");
    const { amount, decline, ...given } = input.values;
    if (decline !== undefined) return readDecline(input, decline);
    const chosen = Object.keys(given) as Way[];
    const [way] = chosen;
    if (!way) return readDecision(input);
    if (chosen.length > 1) throw new UsageError(`either --${chosen[0]} or --${chosen[1]}, not both`);
    requireWords(input.words, []);
    if (amount !== undefined) throw new UsageError(`--${way} is of the whole amount, without --amount`);
    return actOf(ways[way], parseNumber(required(given[way], `--${way}`), `the number of ${ways[way].name}`));
  },
};

const actOf =
  ({ act, describe }: WayOut, number: string): Act =>
  async ({ operations }) => {
    const done = await operations[act](number);
    return toReport(done, describe(done));
  };

function readDecline({ words, values }: CommandInput, order: string): Act {
  requireWords(words, []);
  if (Object.keys(values).length > 1) throw new UsageError("--decline takes nothing but --reason");
  const orderId = parseId(order, "an order's id");
  return async ({ operations }) => {
    await operations.declineRefund(orderId);
    return { data: { orderId }, text: `the refund that the payer asked for is declined` };
  };
}

function readDecision({ words, values: { amount } }: CommandInput): Act {
  const [order = ""] = requireWords(words, ["ORDER"]);
  const orderId = parseId(order, "an order's id");
  const refundFen = amount === undefined ? undefined : parseYuan(amount);
  return async ({ operations }) => {
    const done = await operations.refund(orderId, refundFen);
    return toReport(done, `refund ${done.number} of ${yuanOf(done)} is decided; ${sending}`, { orderId });
  };
}

const toReport = ({ number, amount_fen, state }: Refund, text: string, more: object = {}): Report => ({
  data: { ...more, number, amountFen: amount_fen, state },
  text,
});
