import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { readUser, removeAccount } from "~server/bff/accounts.server";
import { refusalAnswer, refuse } from "~server/bff/refusal-answer.server";

/** The account's state afresh; null for visitors. */
export async function loader({ context }: LoaderFunctionArgs) {
  try {
    return Response.json({ user: await readUser(context) });
  } catch (error) {
    return refusalAnswer(error, context.session);
  }
}

/** DELETE: the account is gone. */
export async function action({ request, context }: ActionFunctionArgs) {
  if (request.method !== "DELETE") return refuse({ code: "bad-request" });
  try {
    return Response.json(await removeAccount(context));
  } catch (error) {
    return refusalAnswer(error, context.session);
  }
}
