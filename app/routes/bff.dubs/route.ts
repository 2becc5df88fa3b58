import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { createDub, deleteDub, findDub, readDubs } from "~server/bff/dubs.server";
import { idempotencyKeyOf } from "~server/bff/idempotency.server";
import { refusalAnswer, refuse } from "~server/bff/refusal-answer.server";

/** `?taskId=` one dub, else a page of them by `?page=&keyword=`. */
export async function loader({ request, context: { upstream, session } }: LoaderFunctionArgs) {
  const query = new URL(request.url).searchParams;
  const taskId = query.get("taskId");
  try {
    return Response.json(taskId ? { dub: await findDub(upstream, taskId) } : await readDubs(upstream, query));
  } catch (error) {
    return refusalAnswer(error, session);
  }
}

/** POST makes a dub or a take, DELETE removes one. */
export async function action({ request, context: { upstream, session } }: ActionFunctionArgs) {
  const input = await request.json().catch(() => null);
  if (typeof input !== "object" || input === null) return refuse({ code: "bad-request" });
  try {
    if (request.method !== "DELETE")
      return Response.json({ dub: await createDub(upstream, input, idempotencyKeyOf(request.headers)) });
    await deleteDub(upstream, (input as { dubbId?: unknown }).dubbId);
    return Response.json({});
  } catch (error) {
    return refusalAnswer(error, session);
  }
}
