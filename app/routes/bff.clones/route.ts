import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { createClone, deleteClones, readCloneView, readCloneWish } from "~server/bff/clones.server";
import { idempotencyKeyOf } from "~server/bff/idempotency.server";
import { refusalAnswer, refuse } from "~server/bff/refusal-answer.server";

/** `?keyword=&status=&page=`: what the page shows now, as `{page, allowance}` or `{refusal}`. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  try {
    return Response.json(await readCloneView(context, readCloneWish(new URL(request.url).searchParams)));
  } catch (error) {
    return refusalAnswer(error, context.session);
  }
}

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
