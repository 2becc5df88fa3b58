import { type Gateway, GatewayError } from "~server/upstream/payments/gateway";

export type Operation = "createPayment" | "query" | "close" | "refund" | "queryRefund" | "bill";
/**
 * `before`: the request is lost · `after`: it is executed and the answer is lost · `refuse`: the gateway refuses ·
 * `fail`: a refund fails at the gateway · `crash`: an internal error.
 */
export type Fault = "before" | "after" | "refuse" | "fail" | "crash";

/** A gateway with the network fault that `next` returns for each call. */
export function createUnreliableGateway(next: (operation: Operation) => Fault | undefined) {
  const calls: Operation[] = [];
  const spoil =
    <A extends unknown[], R>(operation: Operation, call: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      calls.push(operation);
      const fault = next(operation);
      if (fault === "before") throw new GatewayError("unreachable", `${operation} never left`);
      if (fault === "refuse") throw new GatewayError("refused", `${operation} is refused`);
      if (fault === "crash") throw new TypeError(`${operation} is broken`);
      if (fault === "fail") return "failed" as R;
      const answer = await call(...args);
      if (fault === "after") throw new GatewayError("timeout", `${operation} is not answered`);
      return answer;
    };
  const around = (gateway: Gateway): Gateway => ({
    ...gateway,
    createPayment: spoil("createPayment", gateway.createPayment),
    query: spoil("query", gateway.query),
    close: spoil("close", gateway.close),
    refund: spoil("refund", gateway.refund),
    queryRefund: spoil("queryRefund", gateway.queryRefund),
    bill: spoil("bill", gateway.bill),
  });
  return { around, calls };
}
