import { jsonRoute, queryOf } from "~server/bff/json-route.server";
import { UpstreamRefusal } from "~server/bff/refusal.server";
import { readUsableVoices, readVoices } from "~server/bff/roles.server";

/**
 * A VoicePage for pickers: `?page=&keyword=&chosen=` of the account's roles (`own`) or of the square (`square`), and
 * `?id=` of those voices that can still be used (`kept`).
 */
export const loader = jsonRoute(async ({ request, params: { shelf }, context: { upstream, session } }) => {
  if (shelf === "own") return readVoices(upstream, "roleList", queryOf(request));
  if (shelf === "square") return readVoices(upstream, "squareList", queryOf(request));
  if (shelf === "kept") return readUsableVoices(upstream, queryOf(request), Boolean(session.values.token));
  throw new UpstreamRefusal({ code: "not-found" });
});
