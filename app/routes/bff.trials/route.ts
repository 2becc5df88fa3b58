import type { ActionFunctionArgs } from "@remix-run/node";
import { refusalAnswer, refuse } from "~server/bff/refusal-answer.server";
import { createTrial } from "~server/bff/trials.server";

export async function action({ request, context }: ActionFunctionArgs) {
  const input = await request.json().catch(() => null);
  if (typeof input !== "object" || input === null) return refuse({ code: "bad-request" });
  try {
    const { taskId, tryNum, tryMax } = await createTrial(context, input);
    return Response.json({ trial: { taskId, tryNum, tryMax } });
  } catch (error) {
    return refusalAnswer(error, context.session);
  }
}
