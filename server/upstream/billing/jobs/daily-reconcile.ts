import { dayBounds, dayOf } from "../../calendar";
import { GatewayError } from "../../payments/gateway";
import { reportAnomaly } from "../anomalies";
import { type BillingParts, gatewayNamed } from "../parts";
import type { CompareDay } from "./reconcile";
import type { ScheduledStep } from "./schedule";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Gateways publish a day's bill by 10:00 of the next day, Asia/Shanghai. */
const readyAtMs = 10.5 * hourMs;
/** Gateways keep their bills for about three months. */
const catchUpDays = 60;
/** Consecutive failures after which a missing bill is reported; the job continues to retry. */
const reportAfterTries = 6;

/** Compares each day once its bill is ready, in order. Stores the last compared day and so catches up after downtime. */
export function createReconcileStep(parts: BillingParts, compare: CompareDay): ScheduledStep {
  const { now } = parts;
  return async (name, { signal, tries }) => {
    const gateway = gatewayNamed(parts, name);
    if (!gateway) return null;
    const day = await findDue(parts, name);
    if (day === null) return secondsUntilReady(now());
    try {
      await compare(gateway, day, signal);
    } catch (error) {
      if (error instanceof GatewayError && tries + 1 >= reportAfterTries)
        await reportMissing(parts, { name, day, error });
      throw error;
    }
    await remember(parts, name, day);
    return 0;
  };
}

/** The newest day whose bill is ready. */
const newestReady = (now: Date): string => dayOf(new Date(now.getTime() - readyAtMs - dayMs));

function secondsUntilReady(now: Date): number {
  const { from } = dayBounds(dayOf(new Date(now.getTime() - readyAtMs)));
  return (from.getTime() + dayMs + readyAtMs - now.getTime()) / 1000;
}

const addDays = (day: string, days: number): string => dayOf(new Date(dayBounds(day).from.getTime() + days * dayMs));

/** The first day that is ready and not compared yet; null if there is none. */
async function findDue({ db, now }: BillingParts, gateway: string): Promise<string | null> {
  const newest = newestReady(now());
  const compared = db.selectFrom("pay_comparison").select("day").where("gateway", "=", gateway);
  const last = (await compared.executeTakeFirst())?.day;
  if (last === undefined) return newest;
  if (last >= newest) return null;
  const [next, oldest] = [addDays(last, 1), addDays(newest, -catchUpDays)];
  return next > oldest ? next : oldest;
}

async function remember({ db }: BillingParts, gateway: string, day: string): Promise<void> {
  await db
    .insertInto("pay_comparison")
    .values({ gateway, day })
    .onConflict((conflict) => conflict.column("gateway").doUpdateSet({ day }))
    .execute();
}

interface MissingBill {
  name: string;
  day: string;
  error: GatewayError;
}

async function reportMissing(parts: BillingParts, { name, day, error }: MissingBill): Promise<void> {
  const detail = { day, why: `no bill: ${error.message}` };
  await reportAnomaly(parts, { kind: "state", gateway: name, ref: `${name}:bill:${day}`, orderId: null, detail });
}
