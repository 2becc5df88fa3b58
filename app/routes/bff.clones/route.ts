import type { ActionFunctionArgs } from "@remix-run/node";
import { createClone, deleteClones } from "~server/bff/clones.server";
import { idempotencyKeyOf } from "~server/bff/idempotency.server";
import { refusalAnswer, refuse } from "~server/bff/refusal-answer.server";

/** POST speaks a text and answers `{record}`; DELETE with `{ids}` removes. Else `{refusal}`. */
export async function action({ request, context: { upstream, session } }: ActionFunctionArgs) {
  const input = await request.json().catch(() => null);
  if (typeof input !== "object" || input === null) return refuse({ code: "bad-request" });
  try {
    if (request.method !== "DELETE")
      return Response.json({ record: await createClone(upstream, input, idempotencyKeyOf(request.headers)) });
    await deleteClones(upstream, (input as { ids?: unknown }).ids);
    return Response.json({});
  } catch (error) {
    return refusalAnswer(error, session);
  }
}
