import { bffPaths } from "~/bff-paths";
import type { Refusal } from "~server/bff/refusal.server";
import type { Role, RoleView } from "~server/bff/roles.server";
import type { CallInput } from "~server/bff/upstream.server";

export type Answer<T> = ({ ok: true } & T) | { ok: false; refusal: Refusal };

export const readView = (search: string) => ask<{ view: RoleView }>(bffPaths.rolePage(search), {});

/** `key` names the wish: sent twice, it makes one role, which is null where the upstream says nothing about it. */
export const createRole = (input: CallInput<"roleCreate">, key: string) =>
  ask<{ role: Role | null }>(bffPaths.roles, json("POST", input, { "idempotency-key": key }));

type Change = Omit<CallInput<"roleUpdate">, "roleId"> & { isPublic?: boolean };
export const changeRole = (roleId: string, change: Change) =>
  ask<object>(bffPaths.ownRole(roleId), json("PATCH", change));
export const deleteRole = (roleId: string) => ask<object>(bffPaths.ownRole(roleId), { method: "DELETE" });

/** Learns a voice again that could not be learned. */
export const retryRole = (taskId: string) => ask<object>(bffPaths.tasks, json("POST", { taskId, act: "retry" }));

/** Takes a picture to the upstream, which answers where it keeps it. */
export function sendImage(image: Blob) {
  const body = new FormData();
  body.append("type", "image");
  body.append("file", image, "portrait.webp");
  return ask<{ image: { url: string } }>(bffPaths.images, { method: "POST", body });
}

const json = (method: string, body: object, headers: Record<string, string> = {}): RequestInit => ({
  method,
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify(body),
});

async function ask<T extends object>(path: string, init: RequestInit): Promise<Answer<T>> {
  const response = await fetch(path, init).catch(() => null);
  if (!response) return { ok: false, refusal: { code: "network" } };
  const body = (await response.json().catch(() => null)) as (T & { refusal?: Refusal }) | null;
  if (response.ok && body && !body.refusal) return { ok: true, ...body };
  return { ok: false, refusal: body?.refusal ?? { code: response.status === 413 ? "too-large" : "request-failed" } };
}
