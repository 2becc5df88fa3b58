import type { LoaderFunctionArgs } from "@remix-run/node";
import { readUser } from "~server/bff/accounts.server";
import { refusalAnswer } from "~server/bff/refusal-answer.server";

/** The account's state afresh; null for visitors. */
export async function loader({ context }: LoaderFunctionArgs) {
  try {
    return Response.json({ user: await readUser(context) });
  } catch (error) {
    return refusalAnswer(error, context.session);
  }
}
