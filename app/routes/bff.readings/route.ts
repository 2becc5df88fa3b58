import type { ActionFunctionArgs } from "@remix-run/node";
import { textOf } from "~server/bff/json.server";
import { refusalAnswer } from "~server/bff/refusal-answer.server";

/** The characters of `{content}` that can be read in more than one way, as `{list}`. */
export async function action({ request, context: { upstream, session } }: ActionFunctionArgs) {
  const input = (await request.json().catch(() => null)) as { content?: unknown } | null;
  try {
    return Response.json(await upstream.call("readings", { content: textOf(input?.content) }));
  } catch (error) {
    return refusalAnswer(error, session);
  }
}
