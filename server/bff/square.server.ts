import type { CallData } from "../contract/calls/table";
import { textOf } from "./json.server";
import type { CallInput, Upstream } from "./upstream.server";

export type SquareHuman = CallData<"squareList">["list"][number];

type Wanted = Pick<CallInput<"squareList">, "page" | "keyword" | "category" | "language" | "sort"> & {
  gender: "" | "female" | "male";
};

/** A page of the square; what is "" does not narrow it. Throws UpstreamRefusal. */
export function readSquare(upstream: Upstream, { page, sort, ...narrowed }: Wanted, pageSize: number) {
  const said = Object.fromEntries(Object.entries(narrowed).filter(([, value]) => value));
  return upstream.call("squareList", { page, pageSize, sort, ...said });
}

/** Hides the role from the square until somebody has looked at it. */
export async function reportRole(upstream: Upstream, { roleId, reason }: { roleId: unknown; reason: unknown }) {
  await upstream.call("roleReport", { roleId: textOf(roleId), reason: textOf(reason) });
}
