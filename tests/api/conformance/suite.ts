import { randomUUID } from "node:crypto";
import { type CallName, calls } from "~server/contract/calls/table";
import { loginExpired, ok } from "~server/contract/codes";
import { type ConformanceOptions, checkAccount, checkLogin } from "./account-flows";
import { type Client, type ConformanceResponse, createClient, isMissing, type Send, shown } from "./client";
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
  for (const name of Object.keys(calls) as CallName[]) await checkCall(name, client, recorder);
  await checkUploads(client, recorder);
  await checkTrial(client, recorder);
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
      "must",
      "code 5 without a token",
      async () => codeFive(await client.call(call, input ?? {}, ofNewVisitor())),
    ]);
  if (valid && mayAsk) {
    checks.push(["must", "readable", async () => readable(call, await client.call(call, valid))]);
    checks.push(["should", "exact form", async () => findInexact(call, (await client.call(call, valid)).data)]);
  }
  if (mayAsk && sends === "json")
    checks.push(["should", "malformed body refused", async () => refusal(await client.callMalformed(call))]);
  if (mayAsk && invalid)
    checks.push(["should", "invalid input refused", async () => refusal(await client.call(call, invalid))]);
  if (mayAsk && unknown)
    checks.push(["should", "unknown id refused", async () => refusal(await client.call(call, unknown))]);
  const isAsked = caller === "user" || (mayAsk && input !== undefined);
  // Code 5 may come before the 404, so that a call of ours is asked with the token; without a sample it could take effect.
  const hasSample = calls[call].confidence !== "S" && (valid ?? invalid) !== undefined;
  const own: Record<string, string> = caller === "user" && !hasSample ? ofNewVisitor() : {};
  return { checks, probe: isAsked ? () => client.call(call, input ?? {}, own) : null };
}

function codeFive(answer: ConformanceResponse): string | null {
  return answer.code === loginExpired ? null : `answered ${shown(answer)}: the site would not ask for a login`;
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

/** A refusal that the BFF understands: an envelope with a code other than 0, or a 4xx. */
function refusal(answer: ConformanceResponse): string | null {
  if (answer.status >= 500) return `answered ${shown(answer)}`;
  if (answer.code === ok) return "accepted";
  return answer.code === null && answer.status < 400 ? `answered ${shown(answer)}` : null;
}
