import type { CallData } from "../contract/calls/table";
import { pageSizeMax } from "../contract/limits";
import type { VisitorSession } from "./accounts.server";
import { parsePaging } from "./json-route.server";
import { findInPages, mayIgnoreFilters, readFiltered } from "./list-pages.server";
import { toRefusal, UpstreamRefusal } from "./refusal.server";
import type { CallInput, Upstream } from "./upstream.server";
import type { RowCount } from "./upstream-request.server";

/** A role of the account. Its URLs are the upstream's: show them through /bff/media. */
export type Role = CallData<"roleList">["list"][number];
type Human = CallData<"squareHome">[number];

/** View of the digital-human page: samples for visitors, one role, or a page of the account's roles. */
export type RoleView =
  | { kind: "visitor"; humans: Human[] }
  | { kind: "one"; role: Role }
  | (RowCount & { kind: "list"; roles: Role[]; page: number; pageSize: number; keyword: string });

export const rolesPerPage = 12;
const samples = 4;

/** `?id=` opens one role; null if the account has no such role. Throws UpstreamRefusal. */
export async function readRoleView(
  { upstream, session }: VisitorSession,
  query: URLSearchParams,
): Promise<RoleView | null> {
  if (!session.values.token) return { kind: "visitor", humans: await upstream.call("squareHome", { size: samples }) };
  const roleId = query.get("id");
  if (roleId) {
    const role = await findInPages((page) => upstream.call("roleList", { ...page, roleId }), roleId);
    return role && { kind: "one", role };
  }
  const { page, keyword } = parsePaging(query);
  const asked = { page, pageSize: rolesPerPage, keyword };
  const { list, total, isUncounted } = await readFiltered(upstream, asked, (input) => upstream.call("roleList", input));
  return { kind: "list", roles: list, total, isUncounted, page, pageSize: rolesPerPage, keyword };
}

/** Signed; a file of it is confirmed by the verify call. */
export type RevocationReceipt = CallData<"roleRevoke">;

export type SquareHuman = CallData<"squareList">["list"][number];

type SquareFilter = Pick<CallInput<"squareList">, "keyword" | "category" | "language" | "sort"> & {
  page: number;
  gender: "" | "female" | "male";
};

/** A page of the square; empty filters are ignored. Throws UpstreamRefusal. */
export function readSquare(upstream: Upstream, { page, sort, ...filters }: SquareFilter, pageSize: number) {
  const used = Object.fromEntries(Object.entries(filters).filter(([, value]) => value));
  return readFiltered(upstream, { page, pageSize, keyword: filters.keyword ?? "" }, (paging) =>
    upstream.call("squareList", { sort, ...used, ...paging }),
  );
}

/** The role of the square with that id; null without one, also where the contract refuses the id. Throws UpstreamRefusal. */
export const findSquareHuman = (upstream: Upstream, roleId: string) =>
  findInPages((page) => upstream.call("squareList", { ...page, roleId }), roleId).catch((error: unknown) => {
    if (toRefusal(error).code === "bad-request") return null;
    throw error;
  });

/** A role or a human of the square, as pickers show it. */
export interface Voice
  extends Pick<SquareHuman, "roleId" | "name" | "describe" | "avatar" | "portrait" | "voiceUrl" | "timelineUrl"> {
  /** 1 learning · 2 ready · 3 failed. */
  status: 1 | 2 | 3;
}

export interface VoicePage extends RowCount {
  voices: Voice[];
  page: number;
}

const voicesPerPage = 20;

/** A page of the account's roles, or of the square; the one of `?chosen=` comes first. Throws UpstreamRefusal. */
export async function readVoices(
  upstream: Upstream,
  shelf: "roleList" | "squareList",
  query: URLSearchParams,
): Promise<VoicePage> {
  const { page, keyword } = parsePaging(query);
  const asked = { page, pageSize: voicesPerPage, keyword };
  const { list, total, isUncounted } = await readFiltered<Role | SquareHuman>(upstream, asked, (input) =>
    upstream.call(shelf, input),
  );
  const shown = { voices: list.map(toVoice), total, isUncounted, page };
  return chosenFirst(shown, query, shelf === "roleList" ? findOwnVoice(upstream) : findSquareVoice(upstream));
}

/** Only on the first page of a list without a keyword; a list without the chosen voice stays as it is. */
async function chosenFirst(
  shown: VoicePage,
  query: URLSearchParams,
  find: (roleId: string) => Promise<Voice | null>,
): Promise<VoicePage> {
  const roleId = query.get("chosen");
  if (!roleId || shown.page > 1 || query.get("keyword")) return shown;
  const chosen = shown.voices.find((voice) => voice.roleId === roleId) ?? (await find(roleId));
  if (!chosen) return shown;
  return { ...shown, voices: [chosen, ...shown.voices.filter((voice) => voice.roleId !== roleId)] };
}

/**
 * Of the voices of `?id=`, those that can still be used, as they are now. Throws UpstreamRefusal, `unsupported` for an
 * upstream that does not find a role by its id: reading all its pages for each voice would take hundreds of calls.
 */
export async function readUsableVoices(upstream: Upstream, query: URLSearchParams, isLoggedIn: boolean) {
  if (await mayIgnoreFilters(upstream)) throw new UpstreamRefusal({ code: "unsupported" });
  const voices: Voice[] = [];
  for (const roleId of query.getAll("id").slice(0, pageSizeMax)) {
    const voice = await findVoice(upstream, roleId, isLoggedIn);
    if (voice) voices.push(voice);
  }
  return { voices, total: voices.length, page: 1 } satisfies VoicePage;
}

/** Humans of the square have no status: they are published when they are ready. */
function toVoice(role: Role | SquareHuman): Voice {
  const { roleId, name, describe, avatar, portrait, voiceUrl, timelineUrl } = role;
  return {
    roleId,
    name,
    describe,
    avatar,
    portrait,
    voiceUrl,
    timelineUrl,
    status: "status" in role ? role.status : 2,
  };
}

/** The voice of that id, among the account's roles first, then on the square. Throws UpstreamRefusal. */
export const findVoice = async (upstream: Upstream, roleId: string, isLoggedIn: boolean): Promise<Voice | null> =>
  (isLoggedIn && (await findOwnVoice(upstream)(roleId))) || findSquareVoice(upstream)(roleId);

const findOwnVoice = (upstream: Upstream) => async (roleId: string) => {
  const role = await findInPages((page) => upstream.call("roleList", { ...page, roleId }), roleId);
  return role && toVoice(role);
};

const findSquareVoice = (upstream: Upstream) => async (roleId: string) => {
  const human = await findSquareHuman(upstream, roleId);
  return human && toVoice(human);
};
