import type { LoaderFunctionArgs } from "@remix-run/node";
import { paths } from "~/paths";
import { openConsoleSound, requireConsoleMe } from "~server/bff/console.server";

/** A recording of a proof, for the operator who judges it. */
export async function loader(args: LoaderFunctionArgs) {
  await requireConsoleMe(args, paths.consoleLogin);
  const { proof = "", which = "" } = args.params;
  return openConsoleSound(args, proof, which);
}
