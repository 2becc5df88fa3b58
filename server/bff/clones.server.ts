import type { CallData } from "../contract/calls/table";
import { failureOf, type Refusal } from "./refusal.server";
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

export const clonesPerPage = 10;

/** A page of the account's clones, the newest first. Throws UpstreamRefusal. */
export async function readClones(upstream: Upstream, { keyword, status, page }: CloneWish): Promise<ClonePage> {
  const { list, total } = await upstream.call("cloneList", {
    page,
    pageSize: clonesPerPage,
    ...(status !== 0 && { status }),
    ...(keyword && { keyword }),
  });
  return { records: list.map(toRecord), total };
}

/** Starts one; the same key starts nothing twice. Throws UpstreamRefusal, code `entitlement` for 1001. */
export async function createClone(upstream: Upstream, input: CallInput<"cloneCreate">, idempotencyKey?: string) {
  return toRecord(await upstream.call("cloneCreate", input, idempotencyKey));
}

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
