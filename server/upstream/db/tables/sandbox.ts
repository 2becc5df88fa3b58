import type { Generated } from "kysely";

/** The sandbox gateway's own key; there is one row. */
export interface SandboxKeyTable {
  id: number;
  secret: string;
}

/** The sandbox gateway's book of payments. The product reads it through the gateway alone. */
export interface SandboxTradeTable {
  id: Generated<string>;
  out_trade_no: string;
  /** Trades that pay the same thing share it. */
  attached: string;
  subject: string;
  amount_fen: number;
  platform: 1 | 2;
  state: Generated<"open" | "paid" | "closed" | "refunded">;
  paid_fen: number | null;
  transaction_id: string | null;
  paid_at: Date | null;
  /** Late money: the payment is not to be seen before the trade is closed or this time has come. */
  hidden_until: Date | null;
  expires_at: Date;
  /** A second payment of the same trade. */
  second_transaction_id: Generated<string | null>;
  second_paid_fen: Generated<number | null>;
}

export interface SandboxRefundTable {
  number: string;
  out_trade_no: string;
  amount_fen: number;
  /** Set where it refunds the trade's second payment. */
  transaction_id: Generated<string | null>;
  created_at: Date;
}
