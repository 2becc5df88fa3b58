import { type CallName, calls } from "~server/contract/calls/table";
import { loginExpired, ok } from "~server/contract/codes";
import { type Client, type ConformanceResponse, type Credentials, createClient, type Send } from "./client";
import { checkPicture, checkRecording, checkTrial, checkVerify, type Flow, notOffered } from "./flows";
import { samples } from "./samples";

export interface CheckResult {
  call: CallName;
  route: string;
  result: "pass" | "fail" | "not offered" | "not tried";
  /** Result of one check. */
  details: string[];
}

/** Checks every call of the contract against any upstream; creates one recording and one trial, deletes nothing. */
export async function runConformance(send: Send, credentials: Credentials): Promise<CheckResult[]> {
  const client = createClient(send, credentials);
  const outcomes: CheckResult[] = [];
  for (const name of Object.keys(calls) as CallName[]) outcomes.push(await checkCall(name, client));
  return outcomes;
}

const flows: Partial<Record<CallName, Flow>> = {
  fileUpload: checkPicture,
  recordingUpload: checkRecording,
  trialCreate: checkTrial,
  verify: checkVerify,
};

async function checkCall(call: CallName, client: Client): Promise<CheckResult> {
  const { method, path } = calls[call];
  const route = `${method} ${path}`;
  if (calls[call].answers !== "envelope") return { call, route, result: "not tried", details: ["no envelope"] };
  const held: string[] = [];
  const faults: string[] = [];
  for (const [what, check] of Object.entries(checksOf(call, client))) {
    const fault = await check().catch(
      (error: unknown) => `no answer: ${error instanceof Error ? error.message : error}`,
    );
    if (fault === notOffered) return { call, route, result: "not offered", details: [] };
    if (fault === null) held.push(what);
    else faults.push(`${what}: ${fault}`);
  }
  if (faults.length > 0) return { call, route, result: "fail", details: faults };
  return { call, route, result: held.length > 0 ? "pass" : "not tried", details: held };
}

/** Returns null if the check passes. */
type Check = () => Promise<string | null>;

function checksOf(call: CallName, client: Client): Record<string, Check> {
  const { caller, sends } = calls[call];
  const { valid, invalid, unknown } = samples[call] ?? {};
  const flow = flows[call];
  const mayAsk = caller !== "user" || client.hasToken;
  const checks: Record<string, Check> = {};
  if (caller === "user") {
    const input = valid ?? unknown ?? invalid ?? {};
    checks["no token is code 5"] = async () => codeFive(await client.call(call, input, { token: "" }));
  }
  if (valid && mayAsk) checks["well-formed data"] = async () => wellFormed(call, await client.call(call, valid));
  if (sends === "json" && mayAsk)
    checks["malformed body refused"] = async () => refusal(await client.callMalformed(call), notOffered);
  if (invalid && mayAsk)
    checks["invalid input refused"] = async () => refusal(await client.call(call, invalid), notOffered);
  if (unknown && mayAsk) checks["unknown id refused"] = async () => refusal(await client.call(call, unknown));
  if (flow && mayAsk) checks[flow.what] = () => flow.check(client);
  return checks;
}

/** A missing call is a 404 with or without an envelope; a missing record has an envelope too. */
const isMissing = ({ status, code }: ConformanceResponse) => (status === 404 || status === 501) && code !== ok;

function codeFive(answer: ConformanceResponse): string | null {
  if (isMissing(answer)) return notOffered;
  return answer.code === loginExpired ? null : `answered ${shown(answer)}`;
}

function wellFormed(call: CallName, answer: ConformanceResponse): string | null {
  if (isMissing(answer)) return notOffered;
  if (answer.status !== 200 || answer.code !== ok) return `answered ${shown(answer)}`;
  const parsed = calls[call].data.safeParse(answer.data);
  if (!parsed.success) return parsed.error.issues.map(({ path, message }) => `${path.join(".")} ${message}`).join("; ");
  return rowsOf(answer.data) === rowsOf(parsed.data) ? null : "rows without what the page needs";
}

function rowsOf(data: unknown): number {
  const list = typeof data === "object" && data !== null && "list" in data ? data.list : data;
  return Array.isArray(list) ? list.length : 0;
}

/** A refusal that the BFF understands: an envelope with a code other than 0, or a 4xx. */
function refusal(answer: ConformanceResponse, whenMissing: string | null = null): string | null {
  if (isMissing(answer)) return whenMissing;
  if (answer.status >= 500) return `answered ${shown(answer)}`;
  if (answer.code === ok) return "accepted";
  return answer.code === null && answer.status < 400 ? `answered ${shown(answer)}` : null;
}

const shown = ({ status, code, reason }: ConformanceResponse) =>
  `HTTP ${status}, code ${code ?? "none"}${reason ? ` (${reason})` : ""}`;
