import type { ActionFunctionArgs } from "@remix-run/node";
import { colorModeCookie, isColorMode } from "~/features/theme/theme";
import { readForm } from "~server/bff/json-route.server";

/** Remembers light, dark or as the system says. */
export async function action({ request }: ActionFunctionArgs) {
  const mode = (await readForm(request))?.get("mode");
  if (!isColorMode(mode)) return new Response(null, { status: 400 });
  return new Response(null, { status: 204, headers: { "set-cookie": colorModeCookie(mode) } });
}
