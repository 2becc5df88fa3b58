import type { LoaderFunctionArgs } from "@remix-run/node";
import { refusalAnswer, refuse } from "~server/bff/refusal-answer.server";
import { readRoleView } from "~server/bff/roles.server";

/** What the page of digital humans shows for its own query. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  try {
    const view = await readRoleView(context, new URL(request.url).searchParams);
    return view ? Response.json({ view }) : refuse({ code: "not-found" });
  } catch (error) {
    return refusalAnswer(error, context.session);
  }
}
