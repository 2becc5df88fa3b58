import { cashierLevers } from "../contract/calls/payments";

type CashierLever = (typeof cashierLevers)[number];

/** What was pressed at the sandbox gateway's cashier; null for anything else. */
export const parseLever = (value: unknown): CashierLever | null =>
  cashierLevers.find((lever) => lever === value) ?? null;
