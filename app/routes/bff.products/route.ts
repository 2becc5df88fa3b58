import type { LoaderFunctionArgs } from "@remix-run/node";
import { refusalAnswer } from "~server/bff/refusal-answer.server";

export async function loader({ context: { upstream, session } }: LoaderFunctionArgs) {
  try {
    return Response.json({ products: await upstream.call("products", {}) });
  } catch (error) {
    return refusalAnswer(error, session);
  }
}
