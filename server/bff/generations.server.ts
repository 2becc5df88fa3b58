import { dub as dubSchema } from "../contract/calls/dubs";
import type { CallData } from "../contract/calls/table";
import { type DubFormat, dubExports } from "../contract/limits";
import { type Allowance, readAllowance, type VisitorSession } from "./accounts.server";
import { parsePaging } from "./json-route.server";
import { readFiltered } from "./list-pages.server";
import { endsLogin, failureOf, type Refusal, toRefusal, UpstreamRefusal } from "./refusal.server";
import { findVoice, readVoices, type Voice } from "./roles.server";
import type { CallInput, Upstream } from "./upstream.server";
import type { RowCount } from "./upstream-request.server";

type Clone = CallData<"cloneList">["list"][number];

/** Fields that a page does not show, or shows under another name. */
type Replaced = "voiceId" | "audioId" | "style" | "msg" | "reason" | "failedAt" | "duration" | "costChar";

/** A clone, as its owner's page shows it. URLs are the upstream's: show them through /bff/media. */
export interface CloneRecord extends Omit<Clone, Replaced | "pitch" | "volume" | "ext"> {
  pitch: number;
  volume: number;
  ext: Record<string, number>;
  /** Reason of the failure. */
  refusal: Refusal | null;
  seconds: number;
  /** Characters charged, or reserved while it runs. */
  characters: number;
}

export interface CloneQuery {
  keyword: string;
  /** 0 for all. */
  status: 0 | 1 | 2 | 3;
  /** Task id of the one record to show; "" for the list. */
  record: string;
  page: number;
}

export interface ClonePage extends RowCount {
  records: CloneRecord[];
}

const statuses = [0, 1, 2, 3] as const;

/** Reads the page's query; invalid values count as absent. */
export function parseCloneQuery(query: URLSearchParams): CloneQuery {
  const status = statuses.find((one) => String(one) === query.get("status")) ?? 0;
  return { ...parsePaging(query), status, record: query.get("record") ?? "" };
}

/** Both null for visitors. */
export interface CloneView {
  page: ClonePage | null;
  allowance: Allowance | null;
}

/** A page of records and the allowance. Throws UpstreamRefusal. */
export async function readCloneView({ upstream, session }: VisitorSession, query: CloneQuery): Promise<CloneView> {
  const [page, allowance] = await Promise.all([
    session.values.token ? readClones(upstream, query) : null,
    readAllowance(upstream, session),
  ]);
  return { page, allowance };
}

export const clonesPerPage = 10;

/** The account's clones, the newest first. */
async function readClones(upstream: Upstream, { keyword, status, record, page }: CloneQuery): Promise<ClonePage> {
  const asked = { page, pageSize: clonesPerPage, keyword, status };
  const { list, total, isUncounted } = await readFiltered(upstream, asked, (input) =>
    upstream.call("cloneList", { ...input, ...(record && { taskId: record }) }),
  );
  return { records: list.map(toRecord), total, isUncounted };
}

/**
 * Starts a clone, once per idempotency key; unless the input says `reuse: false`, an equal one is the answer. Null if the upstream's answer names no record and the list has none yet.
 * Throws UpstreamRefusal, `entitlement` for code 1001.
 */
export async function createClone(
  upstream: Upstream,
  input: CallInput<"cloneCreate">,
  idempotencyKey?: string,
): Promise<CloneRecord | null> {
  const created = await upstream.call("cloneCreate", { reuse: true, ...input }, idempotencyKey);
  if (created) return toRecord(created.content ? created : { ...created, content: input.content });
  const { records } = await readClones(upstream, { keyword: "", status: 0, record: "", page: 1 }).catch(
    () => emptyPage,
  );
  return records.find(({ content }) => content === input.content) ?? null;
}

const emptyPage: ClonePage = { records: [], total: 0 };

function toRecord(clone: Clone): CloneRecord {
  const { voiceId, audioId, style, msg, reason, failedAt, duration, costChar, ...shown } = clone;
  return {
    ...shown,
    name: clone.roleId ? clone.name : clone.name.replace(/\.[a-z]\w{1,4}$/i, ""),
    pitch: clone.pitch ?? 0,
    volume: clone.volume ?? 0,
    ext: clone.ext ?? {},
    refusal: clone.status === 3 ? failureOf(reason, msg) : null,
    seconds: duration,
    characters: costChar,
  };
}

/** A dub as its owner sees it. URLs are the upstream's: show them through /bff/media. */
export type Dub = CallData<"dubList">["list"][number];

export const dubsPerPage = 8;

export interface DubPage {
  list: Dub[];
  total: number;
  page: number;
}

/** A page of the account's dubs, newest first; the keyword is searched in titles and lines. Throws UpstreamRefusal. */
export async function readDubs(upstream: Upstream, query: URLSearchParams): Promise<DubPage> {
  const { page, keyword } = parsePaging(query);
  const { list, total } = await readFiltered(upstream, { page, pageSize: dubsPerPage, keyword }, (input) =>
    upstream.call("dubList", input),
  );
  return { list, total, page };
}

/** Data of the dubbing page: ready voices, the role to add, the first page of dubs and the allowance. */
export interface StudioView {
  voices: Voice[];
  role: Voice | null;
  /** Null for visitors. */
  records: DubPage | { refusal: Refusal } | null;
  allowance: Allowance | null;
}

/** Throws UpstreamRefusal if the login has expired; without voices or dubs the script can still be written. */
export async function readStudioView(
  { upstream, session }: VisitorSession,
  roleId: string | null,
): Promise<StudioView> {
  const isLoggedIn = Boolean(session.values.token);
  const query = new URLSearchParams();
  const noVoices: Voice[] = [];
  const voicesOf = (page: Promise<{ voices: Voice[] }>) =>
    page.then(
      ({ voices }) => voices.filter(({ status }) => status === 2),
      () => noVoices,
    );
  const refusalUnlessExpired = (error: unknown) => {
    const refusal = toRefusal(error);
    if (endsLogin(refusal)) throw error;
    return { refusal };
  };
  // The account first: its call looks the token up for all of them.
  const [allowance, own, square, role, records] = await Promise.all([
    readAllowance(upstream, session),
    isLoggedIn ? voicesOf(readVoices(upstream, "roleList", query)) : noVoices,
    voicesOf(readVoices(upstream, "squareList", query)),
    roleId ? findVoice(upstream, roleId, isLoggedIn).catch(() => null) : null,
    isLoggedIn ? readDubs(upstream, query).catch(refusalUnlessExpired) : null,
  ]);
  return { voices: [...own, ...square], role, records, allowance };
}

/** The dub or take of that id. */
export async function findDub(upstream: Upstream, taskId: string): Promise<Dub | null> {
  const { list } = await upstream.call("dubList", { taskId });
  return list.find((dub) => dub.dubbId === taskId) ?? null;
}

/**
 * Starts a dub, once per idempotency key. Null if the upstream's answer names no dub and the list has none yet. Throws
 * UpstreamRefusal.
 */
export async function createDub(
  upstream: Upstream,
  input: CallInput<"dubCreate">,
  idempotencyKey?: string,
): Promise<Dub | null> {
  // Without our exports nothing reads it.
  const isForeign = input.chapter && (await upstream.readCapabilities()).missing.includes("dubExport");
  const sent = isForeign ? { ...input, chapter: undefined } : input;
  const created = await upstream.call("dubCreate", { reuse: true, ...sent }, idempotencyKey);
  const found = created ?? (await findNewest(upstream, input));
  if (!found) return null;
  return found.lines.length > 0 ? found : dubSchema.parse({ ...found, lines: input.lines });
}

async function findNewest(upstream: Upstream, input: CallInput<"dubCreate">): Promise<Dub | undefined> {
  const page = await readDubs(upstream, new URLSearchParams()).catch(() => null);
  return page?.list.find((dub) => matchesInput(dub, input));
}

/** Compares lines, or titles if the upstream stores no lines. */
function matchesInput({ lines, title }: Dub, input: CallInput<"dubCreate">): boolean {
  if (lines.length === 0) return title !== "" && title === input.title;
  return lines.length === input.lines.length && lines.every((line, at) => line.content === input.lines[at]?.content);
}

/** Throws UpstreamRefusal `bad-request`. */
export function parseDubFormat(value: string | null): DubFormat {
  if (value === null || !Object.hasOwn(dubExports, value)) throw new UpstreamRefusal({ code: "bad-request" });
  return value as DubFormat;
}
