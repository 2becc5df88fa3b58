import { bffPaths, call, createIdempotentCall, uploadForm } from "~/call";
import type { RoleView } from "~server/bff/roles.server";
import type { CallInput } from "~server/bff/upstream.server";
import type { CallData } from "~server/contract/calls/table";

/** All calls of this page throw `Refused`. */
export const readView = (search: string) => call<{ view: RoleView }>(bffPaths.rolePage(search));

/** Null if the upstream does not return the role. */
export const createRole = createIdempotentCall<CallInput<"roleCreate">, CallData<"roleCreate">>(
  bffPaths.passed("roleCreate"),
);

/** Takes back the consent to the role's voice. */
export const revokeRole = createIdempotentCall<CallInput<"roleRevoke">, CallData<"roleRevoke">>(
  bffPaths.passed("roleRevoke"),
);

/** Returns the image's URL at the upstream. */
export async function uploadImage(file: Blob): Promise<string> {
  const form = new FormData();
  form.append("type", "image");
  form.append("file", file, "portrait.webp");
  return (await uploadForm("fileUpload", form)).url;
}
