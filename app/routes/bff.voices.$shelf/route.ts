import { jsonRoute, queryOf } from "~server/bff/json-route.server";
import { UpstreamRefusal } from "~server/bff/refusal.server";
import { readVoices } from "~server/bff/roles.server";

/** `?page=&keyword=`: a VoicePage for pickers, of the account's roles (`own`) or of the square (`square`). */
export const loader = jsonRoute(async ({ request, params: { shelf }, context: { upstream } }) => {
  if (shelf === "own") return readVoices(upstream, "roleList", queryOf(request));
  if (shelf === "square") return readVoices(upstream, "squareList", queryOf(request));
  throw new UpstreamRefusal({ code: "not-found" });
});
