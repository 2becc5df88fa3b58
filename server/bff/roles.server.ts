import type { CallData } from "../contract/calls/table";
import type { Session } from "./session.server";
import type { CallInput, Upstream } from "./upstream.server";

/** A digital human of the caller's own. URLs are the upstream's: show them through /bff/media. */
export type Role = CallData<"roleList">["list"][number];
type Human = CallData<"squareHome">[number];

/** What the page of digital humans shows: samples to visitors, one opened role, or a page of the account's own. */
export type RoleView =
  | { kind: "visitor"; humans: Human[] }
  | { kind: "one"; role: Role }
  | { kind: "list"; roles: Role[]; total: number; page: number; pageSize: number; keyword: string };

interface Visit {
  upstream: Upstream;
  session: Session;
}

export const rolesPerPage = 12;
const samples = 4;
const sought = 100;
const pagesSought = 50;

/** `roleId` opens one; null for an id that is not the caller's. Throws UpstreamRefusal. */
export async function readRoleView({ upstream, session }: Visit, query: URLSearchParams): Promise<RoleView | null> {
  if (!session.values.token) return { kind: "visitor", humans: await upstream.call("squareHome", { size: samples }) };
  const roleId = query.get("id");
  if (roleId) {
    const role = await findRole(upstream, roleId);
    return role && { kind: "one", role };
  }
  const keyword = [...(query.get("keyword") ?? "").trim()].slice(0, 100).join("");
  const page = Math.max(1, Math.trunc(Number(query.get("page"))) || 1);
  const { list, total } = await upstream.call("roleList", {
    page,
    pageSize: rolesPerPage,
    ...(keyword && { keyword }),
  });
  return { kind: "list", roles: list, total, page, pageSize: rolesPerPage, keyword };
}

/** An upstream that gives no single role has its list gone through. */
async function findRole(upstream: Upstream, roleId: string): Promise<Role | null> {
  for (let page = 1; page <= pagesSought; page++) {
    const { list, total } = await upstream.call("roleList", { page, pageSize: sought, roleId });
    const found = list.find((role) => role.roleId === roleId);
    if (found) return found;
    if (list.length === 0 || page * sought >= total) return null;
  }
  return null;
}

export const createRole = (upstream: Upstream, input: CallInput<"roleCreate">, idempotencyKey?: string) =>
  upstream.call("roleCreate", input, idempotencyKey);

/** What is given changes; `isPublic` puts it on the square or takes it off. */
export async function changeRole(upstream: Upstream, roleId: string, change: Record<string, unknown>): Promise<void> {
  const { isPublic, ...rest } = change;
  if (Object.keys(rest).length > 0) await upstream.call("roleUpdate", { ...rest, roleId });
  if (typeof isPublic === "boolean") await upstream.call("rolePublish", { roleId, isPublic });
}

export async function deleteRole(upstream: Upstream, roleId: string): Promise<void> {
  await upstream.call("roleDelete", { roleId });
}
