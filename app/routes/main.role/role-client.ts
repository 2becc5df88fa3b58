import { bffPaths, call, createIdempotentCall } from "~/call";
import type { RevocationReceipt, Role, RoleView } from "~server/bff/roles.server";
import type { CallInput } from "~server/bff/upstream.server";

/** All calls of this page throw `Refused`. */
export const readView = (search: string) => call<{ view: RoleView }>(bffPaths.rolePage(search));

/** `role` is null if the upstream does not return it. */
export const createRole = createIdempotentCall<CallInput<"roleCreate">, { role: Role | null }>(bffPaths.roles);

type Change = Omit<CallInput<"roleUpdate">, "roleId"> & { isPublic?: boolean };
export const changeRole = (roleId: string, change: Change) =>
  call(bffPaths.ownRole(roleId), { method: "PATCH", body: change });
export const deleteRole = (roleId: string) => call(bffPaths.ownRole(roleId), { method: "DELETE" });

/** Takes back the consent to the role's voice. */
export const revokeRole = (roleId: string) =>
  createIdempotentCall<object, { receipt: RevocationReceipt }>(bffPaths.revokedRole(roleId))({});

/** Starts learning the voice again after a failure. */
export const retryRole = (taskId: string) => call(bffPaths.tasks, { body: { taskId, act: "retry" } });

/** Returns the image's URL at the upstream. */
export async function uploadImage(file: Blob): Promise<string> {
  const body = new FormData();
  body.append("type", "image");
  body.append("file", file, "portrait.webp");
  const { image } = await call<{ image: { url: string } }>(bffPaths.images, { body });
  return image.url;
}
