import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { textOf } from "~server/bff/json.server";
import { refusalAnswer, refuse } from "~server/bff/refusal-answer.server";

/** The account's own dictionary, as `{list}`. */
export async function loader({ context: { upstream, session } }: LoaderFunctionArgs) {
  try {
    return Response.json(await upstream.call("dictionary", {}));
  } catch (error) {
    return refusalAnswer(error, session);
  }
}

/** POST `{word, pinyin}` puts a word in, DELETE `{word}` takes it out; answers the dictionary as it is then. */
export async function action({ request, context: { upstream, session } }: ActionFunctionArgs) {
  const input = (await request.json().catch(() => null)) as { word?: unknown; pinyin?: unknown } | null;
  if (!input) return refuse({ code: "bad-request" });
  const word = textOf(input.word);
  try {
    if (request.method === "DELETE") return Response.json(await upstream.call("dictionaryDelete", { word }));
    return Response.json(await upstream.call("dictionaryPut", { word, pinyin: textOf(input.pinyin) }));
  } catch (error) {
    return refusalAnswer(error, session);
  }
}
