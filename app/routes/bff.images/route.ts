import type { ActionFunctionArgs } from "@remix-run/node";
import { refusalAnswer } from "~server/bff/refusal-answer.server";

/** A portrait on its way to the upstream, which draws it anew: passed through, never kept here. */
export async function action({ request, context: { upstream, session } }: ActionFunctionArgs) {
  try {
    const { url } = await upstream.upload("fileUpload", request);
    return Response.json({ image: { url } });
  } catch (error) {
    return refusalAnswer(error, session);
  }
}
