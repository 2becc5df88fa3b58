import type { CallData } from "../contract/calls/table";
import { failureOf, type Refusal } from "./refusal.server";
import type { Session } from "./session.server";
import { type Allowance, readAllowance } from "./tasks.server";
import type { CallInput, Upstream } from "./upstream.server";

type Clone = CallData<"cloneList">["list"][number];

/** A text that was spoken, as its owner's page shows it. URLs are the upstream's: show them through /bff/media. */
export interface CloneRecord
  extends Pick<
    Clone,
    | "taskId"
    | "content"
    | "roleId"
    | "name"
    | "avatar"
    | "portrait"
    | "voicePath"
    | "emotionPath"
    | "speed"
    | "genre"
    | "status"
    | "progress"
    | "segDone"
    | "segTotal"
    | "queuePos"
    | "voiceUrl"
    | "timelineUrl"
    | "downloads"
    | "createdAt"
  > {
  pitch: number;
  volume: number;
  ext: Record<string, number>;
  /** Why it failed. */
  refusal: Refusal | null;
  seconds: number;
  /** What it took, or holds while it runs. */
  characters: number;
}

export interface CloneWish {
  keyword: string;
  /** 0 for all. */
  status: 0 | 1 | 2 | 3;
  page: number;
}

export interface ClonePage {
  records: CloneRecord[];
  total: number;
}

const statuses = [0, 1, 2, 3] as const;

/** Reads the address; what makes no sense there counts as not said. */
export function readCloneWish(query: URLSearchParams): CloneWish {
  const page = Number(query.get("page"));
  return {
    keyword: [...(query.get("keyword") ?? "").trim()].slice(0, 100).join(""),
    status: statuses.find((status) => String(status) === query.get("status")) ?? 0,
    page: Number.isSafeInteger(page) && page > 1 ? page : 1,
  };
}

/** What the page shows: a page of records, and what may be generated now. Nothing for visitors. Throws UpstreamRefusal. */
export async function readCloneView(
  { upstream, session }: { upstream: Upstream; session: Session },
  wish: CloneWish,
): Promise<{ page: ClonePage | null; allowance: Allowance | null }> {
  const [page, allowance] = await Promise.all([
    session.values.token ? readClones(upstream, wish) : null,
    readAllowance(upstream, session),
  ]);
  return { page, allowance };
}

export const clonesPerPage = 10;

/** The account's clones, the newest first. */
async function readClones(upstream: Upstream, { keyword, status, page }: CloneWish): Promise<ClonePage> {
  const { list, total } = await upstream.call("cloneList", {
    page,
    pageSize: clonesPerPage,
    ...(status !== 0 && { status }),
    ...(keyword && { keyword }),
  });
  return { records: list.map(toRecord), total };
}

/**
 * Starts one; the same key starts nothing twice. Null where the upstream says nothing about it and it is not in the list
 * yet. Throws UpstreamRefusal, code `entitlement` for 1001.
 */
export async function createClone(
  upstream: Upstream,
  input: CallInput<"cloneCreate">,
  idempotencyKey?: string,
): Promise<CloneRecord | null> {
  const created = await upstream.call("cloneCreate", input, idempotencyKey);
  if (created) return toRecord(created.content ? created : { ...created, content: input.content });
  const { records } = await readClones(upstream, { keyword: "", status: 0, page: 1 }).catch(() => noRecords);
  return records.find(({ content }) => content === input.content) ?? null;
}

const noRecords: ClonePage = { records: [], total: 0 };

export async function deleteClones(upstream: Upstream, ids: unknown): Promise<void> {
  await upstream.call("cloneDelete", { ids: Array.isArray(ids) ? ids.map(String) : [] });
}

function toRecord(clone: Clone): CloneRecord {
  const { taskId, content, roleId, name, avatar, portrait, voicePath, emotionPath, speed, genre } = clone;
  const { status, progress, segDone, segTotal, queuePos, voiceUrl, timelineUrl, downloads, createdAt } = clone;
  return {
    ...{ taskId, content, roleId, name, avatar, portrait, voicePath, emotionPath, speed, genre },
    ...{ status, progress, segDone, segTotal, queuePos, voiceUrl, timelineUrl, downloads, createdAt },
    pitch: clone.pitch ?? 0,
    volume: clone.volume ?? 0,
    ext: clone.ext ?? {},
    refusal: status === 3 ? failureOf(clone.reason, clone.msg) : null,
    seconds: clone.duration,
    characters: clone.costChar,
  };
}
