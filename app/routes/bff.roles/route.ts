import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { idempotencyKeyOf } from "~server/bff/idempotency.server";
import { refusalAnswer, refuse } from "~server/bff/refusal-answer.server";
import { createRole } from "~server/bff/roles.server";
import { readOwnVoices } from "~server/bff/voices.server";

/** `?page=&keyword=`: a page of one's own for pickers, as a VoicePage or `{refusal}`. */
export async function loader({ request, context: { upstream, session } }: LoaderFunctionArgs) {
  try {
    return Response.json(await readOwnVoices(upstream, new URL(request.url).searchParams));
  } catch (error) {
    return refusalAnswer(error, session);
  }
}

/** A new digital human from a recording, with the speaker's consent. */
export async function action({ request, context: { upstream, session } }: ActionFunctionArgs) {
  const input = await request.json().catch(() => null);
  if (typeof input !== "object" || input === null) return refuse({ code: "bad-request" });
  try {
    return Response.json({ role: await createRole(upstream, input, idempotencyKeyOf(request.headers)) });
  } catch (error) {
    return refusalAnswer(error, session);
  }
}
