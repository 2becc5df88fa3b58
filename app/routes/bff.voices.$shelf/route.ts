import { jsonRoute, queryOf } from "~server/bff/json-route.server";
import { UpstreamRefusal } from "~server/bff/refusal.server";
import { readOwnVoices, readSquareVoices } from "~server/bff/roles.server";

/** `?page=&keyword=`: a VoicePage for pickers, of the account's roles (`own`) or of the square (`square`). */
export const loader = jsonRoute(async ({ request, params: { shelf }, context: { upstream } }) => {
  if (shelf === "own") return readOwnVoices(upstream, queryOf(request));
  if (shelf === "square") return readSquareVoices(upstream, queryOf(request));
  throw new UpstreamRefusal({ code: "not-found" });
});
