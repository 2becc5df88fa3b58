import { answering, createJsonAnswer, queryOf } from "~server/bff/answering.server";
import { UpstreamRefusal } from "~server/bff/refusal.server";
import { readOwnVoices, readSquareVoices, type VoicePage } from "~server/bff/roles.server";

const answer = createJsonAnswer<VoicePage>();

/** `?page=&keyword=`: a VoicePage for pickers, of the account's roles (`own`) or of the square (`square`). */
export const loader = answering(async ({ request, params: { shelf }, context: { upstream } }) => {
  if (shelf === "own") return readOwnVoices(upstream, queryOf(request));
  if (shelf === "square") return answer(await readSquareVoices(upstream, queryOf(request)));
  throw new UpstreamRefusal({ code: "not-found" });
});
