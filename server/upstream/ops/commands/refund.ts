import { type Command, UsageError } from "../command";
import { parseId, parseYuan, requireWords } from "../parse";
import { formatYuan } from "../show";

export const refund: Command = {
  summary: "send an order's money back, whole or in part, and shorten what it granted",
  forms: ["ORDER [--amount YUAN]", "--complete REFUND"],
  notes: [
    "Without --amount all that is left of what was paid. The server sends the money; `orders ORDER` shows how it stands.",
    "--complete: the gateway gave this refund up (STUCK) and the money was sent back by other ways.",
  ],
  values: ["amount", "complete"],
  read({ words, values: { amount, complete } }) {
    if (complete !== undefined) {
      requireWords(words, []);
      if (amount !== undefined) throw new UsageError("--complete is of the whole refund, without --amount");
      return async ({ operations }) => {
        await operations.completeRefund(complete);
        return { data: { number: complete, state: "DONE" }, text: `refund ${complete} is complete` };
      };
    }
    const [order = ""] = requireWords(words, ["ORDER"]);
    const orderId = parseId(order, "an order's id");
    const refundFen = amount === undefined ? undefined : parseYuan(amount);
    return async ({ operations }) => {
      const { number, amount_fen, state } = await operations.refund(orderId, refundFen);
      return {
        data: { orderId, number, amountFen: amount_fen, state },
        text: `refund ${number} of ${formatYuan(amount_fen)} yuan is decided; the server sends it as soon as it runs`,
      };
    };
  },
};
