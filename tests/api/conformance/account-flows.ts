import { setTimeout as sleep } from "node:timers/promises";
import { signed } from "~server/bff/upstream-request.server";
import { type CallName, calls } from "~server/contract/calls/table";
import { ok } from "~server/contract/codes";
import { type Client, type ConformanceResponse, type Credentials, findUnrefused, shown } from "./client";
import { describeIssues, fieldsOf, findInexact } from "./exact";
import type { Recorder } from "./recorder";

export interface ConformanceOptions extends Credentials {
  /** Logs in with it, unless there is a token. */
  phone?: string | undefined;
  /** The code that the phone receives; in demo mode the answer has it. */
  code?: string | undefined;
  /** How long an order may wait for its payment. */
  payWaitMs?: number | undefined;
}

/** The answer's data as the site reads it, undefined after a fault, which is recorded with the form that differs. */
export function readAnswer<N extends CallName>(recorder: Recorder, call: N, what: string, answer: ConformanceResponse) {
  const read = calls[call].data.safeParse(answer.data);
  const fault =
    answer.code !== ok
      ? `answered ${shown(answer)}`
      : read.success
        ? null
        : `${describeIssues(read.error)}; the answer has: ${fieldsOf(answer.data)}`;
  if (!recorder.note(call, "must", what, fault)) return undefined;
  recorder.note(call, "should", `${what}, in the exact form`, findInexact(call, answer.data));
  return read.data as (typeof calls)[N]["data"]["_zod"]["output"];
}

/** Logs in by code; the token, or null. */
export async function checkLogin(client: Client, recorder: Recorder, { phone, code }: ConformanceOptions) {
  if (!phone) {
    recorder.skip("login", "a login gives a token", "name an account: --phone and --code, or --token");
    return null;
  }
  const sent = await client.call("captcha", { phone });
  recorder.note("captcha", "must", "a code is sent", sent.code === ok ? null : `answered ${shown(sent)}`);
  const verifyCode = code || calls.captcha.data.safeParse(sent.data).data?.demoCode;
  if (!verifyCode) {
    recorder.skip("login", "a login gives a token", "say the code that the phone received: --code");
    return null;
  }
  const answer = await client.call("login", { phone, verifyCode });
  return readAnswer(recorder, "login", "a login gives a token", answer)?.token ?? null;
}

/** The account, and an order up to its payment. */
export async function checkAccount(client: Client, recorder: Recorder, options: ConformanceOptions) {
  if (!client.hasToken) return recorder.skip("orderCreate", "an order can be paid", "needs an account");
  const { data } = await client.call("userInfo", {});
  const user = calls.userInfo.data.safeParse(data).data;
  if (user)
    recorder.note("userInfo", "must", "has the phone", user.phone ? null : "no phone: the site shows a visitor");
  const products = calls.products.data.safeParse((await client.call("products", {})).data).data ?? [];
  const product = products.find(({ packageType }) => packageType !== 3) ?? products[0];
  if (!product) return recorder.skip("orderCreate", "an order can be paid", "no package is read from the price list");
  await checkOrder(client, recorder, { pCode: product.pCode, payWaitMs: options.payWaitMs ?? 5_000 });
}

async function checkOrder(
  client: Client,
  recorder: Recorder,
  { pCode, payWaitMs }: { pCode: string; payWaitMs: number },
) {
  const forged = await client.call("orderCreate", { pCode, platform: 1, sign: "0".repeat(32) });
  recorder.note("orderCreate", "should", "an order with a wrong sign is refused", findUnrefused(forged));
  const answer = await client.call("orderCreate", signed("orderCreate", { pCode, platform: 1 }));
  const order = readAnswer(recorder, "orderCreate", "an order is created", answer);
  if (!order) return;
  const without = (name: string) => `no ${name}; the answer has: ${fieldsOf(answer.data)}`;
  const hasUrl = recorder.note("orderCreate", "must", "has a url to pay at", order.url ? null : without("url"));
  const hasId = recorder.note("orderCreate", "must", "has an orderId", order.orderId ? null : without("orderId"));
  if (!hasId || !hasUrl) return;
  const endsAt = Date.now() + payWaitMs;
  for (;;) {
    const asked = await client.call("payResult", signed("payResult", { orderId: order.orderId }));
    const status = readAnswer(recorder, "payResult", "the payment can be asked for", asked);
    if (!status) return;
    if (status.result === "success") break;
    recorder.note("payResult", "must", "waits in a known word", unknownWord(asked.data));
    if (Date.now() >= endsAt)
      return recorder.skip(
        "payResult",
        "a paid order is a success",
        `pay ${order.url} while this waits: --pay-wait SECONDS`,
      );
    await sleep(client.pauseMs);
  }
  const info = calls.userInfo.data.safeParse((await client.call("userInfo", {})).data).data;
  const last = Math.max(info?.vipExpire ?? 0, info?.svipExpire ?? 0);
  const fault = last * 1000 > Date.now() ? null : `vipExpire and svipExpire are over: ${last}`;
  recorder.note("payResult", "must", "a paid order is a success, and its tier runs", fault);
}

/** A word that the site reads as waiting although it is none of waiting; null if it is known. */
function unknownWord(data: unknown): string | null {
  const word = typeof data === "object" && data !== null && "result" in data ? data.result : data;
  const isKnown = word === null || /^(waiting|closed|refunded|false|0|)$/i.test(String(word));
  return isKnown ? null : `result ${JSON.stringify(word)} is read as waiting; paid is "success"`;
}
