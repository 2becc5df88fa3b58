import type { ActionFunctionArgs } from "@remix-run/node";
import { refusalAnswer } from "~server/bff/refusal-answer.server";

/** A recording on its way to the upstream: passed through, never kept here. */
export async function action({ request, context: { upstream, session } }: ActionFunctionArgs) {
  try {
    return Response.json({ recording: await upstream.upload("recordingUpload", request) });
  } catch (error) {
    return refusalAnswer(error, session);
  }
}
