import type { LoaderFunctionArgs } from "@remix-run/node";
import { refusalAnswer } from "~server/bff/refusal-answer.server";
import { readTrial } from "~server/bff/trials.server";

export async function loader({ params, context: { upstream, session } }: LoaderFunctionArgs) {
  try {
    return Response.json({ progress: await readTrial(upstream, params.taskId ?? "") });
  } catch (error) {
    return refusalAnswer(error, session);
  }
}
