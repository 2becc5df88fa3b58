import type { LoaderFunctionArgs } from "@remix-run/node";
import { refusalAnswer } from "~server/bff/refusal-answer.server";
import { readAllowance } from "~server/bff/tasks.server";

/** What the account may generate now, as `{allowance}`; null for visitors. */
export async function loader({ context: { upstream, session } }: LoaderFunctionArgs) {
  try {
    return Response.json({ allowance: await readAllowance(upstream, session) });
  } catch (error) {
    return refusalAnswer(error, session);
  }
}
