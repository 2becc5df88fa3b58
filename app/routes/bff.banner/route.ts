import { closedBannerCookie, isBannerId } from "~server/bff/frame.server";
import { jsonRoute, readForm } from "~server/bff/json-route.server";

/** POST form data `{id}`: the banner that was closed stays closed in this browser. */
export const action = jsonRoute({
  POST: async ({ request }) => {
    const id = (await readForm(request))?.get("id");
    if (!isBannerId(id)) return new Response(null, { status: 400 });
    return new Response(null, {
      status: 204,
      headers: { "set-cookie": closedBannerCookie(id, request.headers.get("cookie")) },
    });
  },
});
