import type { ActionFunctionArgs } from "@remix-run/node";
import { logOut } from "~server/bff/accounts.server";

export async function action({ context }: ActionFunctionArgs) {
  await logOut(context);
  return Response.json({ user: null });
}
