import type { CallData } from "../contract/calls/table";
import type { Upstream } from "./upstream.server";

type OwnRole = CallData<"roleList">["list"][number];
type SquareRole = CallData<"squareList">["list"][number];

/** Somebody to speak with, as pickers show them. */
export interface Voice
  extends Pick<SquareRole, "roleId" | "name" | "describe" | "avatar" | "portrait" | "voiceUrl" | "timelineUrl"> {
  /** 1 the voice is being learned, 2 ready, 3 could not be learned. */
  status: 1 | 2 | 3;
}

export interface VoicePage {
  voices: Voice[];
  total: number;
  page: number;
}

const perPage = 20;

/** One page of the caller's own roles. Throws UpstreamRefusal. */
export async function readOwnVoices(upstream: Upstream, query: URLSearchParams): Promise<VoicePage> {
  const { list, total } = await upstream.call("roleList", asked(query));
  return { voices: list.map((role) => toVoice(role, role.status)), total, page: asked(query).page };
}

/** One page of the square. Throws UpstreamRefusal. */
export async function readSquareVoices(upstream: Upstream, query: URLSearchParams): Promise<VoicePage> {
  const { list, total } = await upstream.call("squareList", asked(query));
  return { voices: list.map((role) => toVoice(role, 2)), total, page: asked(query).page };
}

function asked(query: URLSearchParams) {
  const page = Math.max(1, Math.trunc(Number(query.get("page"))) || 1);
  const keyword = [...(query.get("keyword") ?? "").trim()].slice(0, 100).join("");
  return { page, pageSize: perPage, ...(keyword && { keyword }) };
}

function toVoice(role: OwnRole | SquareRole, status: Voice["status"]): Voice {
  const { roleId, name, describe, avatar, portrait, voiceUrl, timelineUrl } = role;
  return { roleId, name, describe, avatar, portrait, voiceUrl, timelineUrl, status };
}

const sought = 100;
const pagesSought = 20;

/** Somebody by id, of the caller's own or of the square; null when neither has one. The upstream has no call for one role: lists are gone through. */
export async function findVoice(upstream: Upstream, roleId: string, isLoggedIn: boolean): Promise<Voice | null> {
  const own = async (page: number) => {
    const { list, total } = await upstream.call("roleList", { page, pageSize: sought });
    return { voices: list.map((role) => toVoice(role, role.status)), total };
  };
  const square = async (page: number) => {
    const { list, total } = await upstream.call("squareList", { page, pageSize: sought });
    return { voices: list.map((role) => toVoice(role, 2)), total };
  };
  return (isLoggedIn ? await seek(own, roleId) : null) ?? seek(square, roleId);
}

async function seek(read: (page: number) => Promise<{ voices: Voice[]; total: number }>, roleId: string) {
  for (let page = 1; page <= pagesSought; page++) {
    const { voices, total } = await read(page);
    const found = voices.find((voice) => voice.roleId === roleId);
    if (found) return found;
    if (voices.length === 0 || page * sought >= total) return null;
  }
  return null;
}
