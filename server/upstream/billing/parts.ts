import type { Db } from "../db/database";
import type { Once } from "../db/idempotency";
import type { Queue } from "../jobs/queue";
import type { Gateway, Platform } from "../payments/gateway";
import type { Anomaly } from "./anomalies";

/** What a referral brings; without characters there are no referrals. */
export interface ReferralTerms {
  /** For each of the two. */
  characters: number;
  /** Referrals a calendar month that bring the referrer something. */
  monthMax: number;
}

/** Dependencies of billing. */
export interface BillingParts {
  db: Db;
  queue: Queue;
  once: Once;
  /** The gateway of each method. One gateway may serve several; a method without one is unavailable. */
  gateways: Partial<Record<Platform, Gateway>>;
  referral: ReferralTerms;
  /** In the transaction that pays an order. */
  onPaid(trx: Db, orderId: string): Promise<void>;
  now(): Date;
  /** Called once for every new anomaly. */
  alert(anomaly: Anomaly): void;
}

/** The gateway an attempt was made at; undefined when the product uses it no longer. */
export const gatewayNamed = ({ gateways }: Pick<BillingParts, "gateways">, name: string): Gateway | undefined =>
  Object.values(gateways).find((gateway) => gateway.name === name);
