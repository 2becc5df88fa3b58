import type { ActionFunctionArgs } from "@remix-run/node";
import { closedBannerCookie, isBannerId } from "~server/bff/banner.server";
import { readForm } from "~server/bff/form.server";

/** Form data `{id}`: the notice that somebody closed stays closed in this browser. */
export async function action({ request }: ActionFunctionArgs) {
  const id = (await readForm(request))?.get("id");
  if (!isBannerId(id)) return new Response(null, { status: 400 });
  return new Response(null, { status: 204, headers: { "set-cookie": closedBannerCookie(id) } });
}
