import { randomUUID } from "node:crypto";
import { rowsIn, totalIn } from "~server/contract/calls/foreign";
import { type CallName, calls } from "~server/contract/calls/table";
import { loginExpired, ok } from "~server/contract/codes";
import { type ConformanceOptions, checkAccount, checkLogin } from "./account-flows";
import {
  type Client,
  type ConformanceResponse,
  createClient,
  findUnrefused,
  isMissing,
  type Send,
  shown,
} from "./client";
import { describeIssues, fieldsOf, findInexact } from "./exact";
import { checkRecords, checkTrial, checkUploads } from "./record-flows";
import { type CheckResult, createRecorder, type Recorder } from "./recorder";
import { samples } from "./samples";

export type { CheckResult };

/**
 * Checks every call of the contract against any upstream, and the whole flows with an account: log in to paid, created to
 * heard. Creates an order and a few records, and deletes the records.
 */
export async function runConformance(send: Send, options: ConformanceOptions): Promise<CheckResult[]> {
  const recorder = createRecorder();
  let client = createClient(send, options);
  const token = client.hasToken ? options.token : await checkLogin(client, recorder, options);
  if (token) client = createClient(send, { ...options, token });
  // First, while the visitor still has trials: the single calls ask for some.
  await checkTrial(client, recorder);
  for (const name of Object.keys(calls) as CallName[]) await checkCall(name, client, recorder);
  await checkUploads(client, recorder);
  await checkAccount(client, recorder, options);
  await checkRecords(client, recorder);
  return recorder.results();
}

type Check = [level: "must" | "should", what: string, run: () => Promise<string | null>];

/** The call alone. A call of ours may be missing; one of the specification may not. */
async function checkCall(call: CallName, client: Client, recorder: Recorder) {
  const { answers, confidence } = calls[call];
  if (answers !== "envelope") return;
  const { checks, probe } = checksOf(call, client);
  const first = probe && (await probe().catch(noAnswer));
  if (first && isMissing(first)) {
    if (confidence !== "S") return recorder.miss(call);
    return recorder.note(call, "must", "offered", `answered ${shown(first)}`);
  }
  for (const [level, what, run] of checks)
    recorder.note(call, level, what, await run().catch((error: unknown) => `no answer: ${String(error)}`));
}

const noAnswer = () => null;

/** Calls without a login count for a visitor each: one visitor may not make as many changes as there are calls. */
const ofNewVisitor = (): Record<string, string> => ({ token: "", "x-visitor-id": randomUUID() });

function checksOf(call: CallName, client: Client) {
  const { caller, sends } = calls[call];
  const { valid, invalid, unknown } = samples[call] ?? {};
  const input = valid ?? invalid ?? unknown;
  const mayAsk = caller !== "user" || client.hasToken;
  const checks: Check[] = [];
  if (caller === "user")
    checks.push([
      // A site that logs out without a token loses nothing.
      call === "logout" ? "should" : "must",
      "code 5 without a token",
      async () => codeFive(await client.call(call, input ?? {}, ofNewVisitor())),
    ]);
  if (call === "userInfo")
    checks.push([
      "must",
      "code 5 with a wrong token",
      async () => codeFive(await client.call(call, {}, { ...ofNewVisitor(), token: randomUUID() })),
    ]);
  if (valid && mayAsk) {
    checks.push(["must", "readable", async () => readable(call, await client.call(call, valid))]);
    checks.push(["should", "success is code 0", async () => otherSuccess(await client.call(call, valid))]);
    if ("page" in valid)
      checks.push(["should", "the total fits its pages", () => findOddTotal(call, client, { ...valid, pageSize: 5 })]);
    checks.push(["should", "exact form", async () => findInexact(call, (await client.call(call, valid)).data)]);
  }
  if (mayAsk && sends === "json")
    checks.push(["should", "malformed body refused", async () => findUnrefused(await client.callMalformed(call))]);
  if (mayAsk && invalid)
    checks.push(["should", "invalid input refused", async () => findUnrefused(await client.call(call, invalid))]);
  if (mayAsk && unknown)
    checks.push(["should", "unknown id refused", async () => findUnrefused(await client.call(call, unknown))]);
  const isAsked = caller === "user" || (mayAsk && input !== undefined);
  // Code 5 may come before the 404, so that a call of ours is asked with the token; without a sample it could take effect.
  const hasSample = calls[call].confidence !== "S" && (valid ?? invalid) !== undefined;
  const own: Record<string, string> = caller === "user" && !hasSample ? ofNewVisitor() : {};
  return { checks, probe: isAsked ? () => client.call(call, input ?? {}, own) : null };
}

function codeFive(answer: ConformanceResponse): string | null {
  return answer.code === loginExpired ? null : `answered ${shown(answer)}: the site would not ask for a login`;
}

/** A success that the site reads and the specification does not know. */
const otherSuccess = (answer: ConformanceResponse) =>
  answer.code === ok && Number(answer.sentCode) !== ok ? `answered ${shown(answer)}` : null;

/** A total below the rows of its page, or another one on the next page; null for lists that do not count. */
async function findOddTotal(call: CallName, client: Client, input: Record<string, unknown>): Promise<string | null> {
  const [first, second] = [
    await client.call(call, { ...input, page: 1 }),
    await client.call(call, { ...input, page: 2 }),
  ];
  const [total, next] = [totalIn(first.data), totalIn(second.data)];
  const rows = rowsIn(first.data);
  if (total === undefined) return null;
  if (Array.isArray(rows) && total < rows.length) return `total ${total} beside ${rows.length} rows`;
  return next === undefined || next === total ? null : `total ${total} on page 1, ${next} on page 2`;
}

/** Whether the site can read the answer, all its rows included. */
function readable(call: CallName, answer: ConformanceResponse): string | null {
  if (answer.status !== 200 || answer.code !== ok) return `answered ${shown(answer)}`;
  const parsed = calls[call].data.safeParse(answer.data);
  if (!parsed.success) return `${describeIssues(parsed.error)}; the answer has: ${fieldsOf(answer.data)}`;
  const [sent, read] = [rowsOf(answer.data), rowsOf(parsed.data)];
  return sent <= read ? null : `${sent - read} of ${sent} rows lack what the page needs`;
}

function rowsOf(data: unknown): number {
  const list = typeof data === "object" && data !== null && "list" in data ? data.list : data;
  return Array.isArray(list) ? list.length : 0;
}
