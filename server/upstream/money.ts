import type { Logger } from "pino";
import type { Config } from "../config";
import { createBilling } from "./billing/billing";
import type { BillingParts } from "./billing/parts";
import { createSandbox } from "./payments/gateways/sandbox/sandbox";

interface Given {
  config: Pick<Config, "mode" | "siteUrl">;
  log: Logger;
}

/**
 * Billing with its gateways, for the server and for operators. In demo mode the sandbox takes every payment; in production
 * no method can be used before a gateway is set up for it.
 */
export async function createMoney(
  parts: Pick<BillingParts, "db" | "queue" | "once">,
  { config: { mode, siteUrl }, log }: Given,
) {
  const cashierUrl = (id: string) => `${siteUrl ?? ""}/cashier/${id}`;
  const sandbox = mode === "demo" ? await createSandbox({ ...parts, mode, cashierUrl }) : undefined;
  const gateways: BillingParts["gateways"] = sandbox ? { 1: sandbox.gateway, 2: sandbox.gateway } : {};
  const billing = createBilling({
    ...parts,
    gateways,
    now: () => new Date(),
    alert: (mistake) => log.error({ mistake }, "a payment needs looking at"),
  });
  const sandboxHandlers = sandbox?.createHandlers((message) => billing.notified("sandbox", message));
  return { billing, gateways, cashier: sandbox?.cashier, handlers: { ...billing.handlers, ...sandboxHandlers } };
}
