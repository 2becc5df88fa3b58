import type { ActionFunctionArgs } from "@remix-run/node";
import { refusalAnswer, refuse } from "~server/bff/refusal-answer.server";
import { createTrial } from "~server/bff/trials.server";

/** The page's own name for one wish: sent again, after an answer that got lost, it starts nothing twice. */
const keyOf = (headers: Headers) => /^[\w-]{8,100}$/.exec(headers.get("idempotency-key") ?? "")?.[0];

export async function action({ request, context }: ActionFunctionArgs) {
  const input = await request.json().catch(() => null);
  if (typeof input !== "object" || input === null) return refuse({ code: "bad-request" });
  try {
    const { taskId, tryNum, tryMax } = await createTrial(context, input, keyOf(request.headers));
    return Response.json({ trial: { taskId, tryNum, tryMax } });
  } catch (error) {
    return refusalAnswer(error, context.session);
  }
}
