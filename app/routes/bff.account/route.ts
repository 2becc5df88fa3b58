import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { readUser, removeAccount, sendDeletionCode } from "~server/bff/accounts.server";
import { refusalAnswer, refuse } from "~server/bff/refusal-answer.server";

/** The account's state afresh; null for visitors. */
export async function loader({ context }: LoaderFunctionArgs) {
  try {
    return Response.json({ user: await readUser(context) });
  } catch (error) {
    return refusalAnswer(error, context.session);
  }
}

/** POST sends the code for a deletion; DELETE with `{verifyCode}` deletes the account and answers the receipt. */
export async function action({ request, context }: ActionFunctionArgs) {
  try {
    if (request.method === "POST") return Response.json({ sent: await sendDeletionCode(context) });
    const input = await request.json().catch(() => null);
    if (request.method !== "DELETE" || typeof input !== "object") return refuse({ code: "bad-request" });
    return Response.json({ receipt: await removeAccount(context, input?.verifyCode) });
  } catch (error) {
    return refusalAnswer(error, context.session);
  }
}
