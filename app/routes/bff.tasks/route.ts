import type { ActionFunctionArgs } from "@remix-run/node";
import { refusalAnswer } from "~server/bff/refusal-answer.server";
import { changeTask } from "~server/bff/tasks.server";

/** JSON `{taskId, act: "cancel" | "retry"}`; answers `{}` or `{refusal}`. */
export async function action({ request, context: { upstream, session } }: ActionFunctionArgs) {
  try {
    await changeTask(upstream, ((await request.json().catch(() => null)) ?? {}) as { taskId?: unknown; act?: unknown });
    return Response.json({});
  } catch (error) {
    return refusalAnswer(error, session);
  }
}
