import type { LoaderFunctionArgs } from "@remix-run/node";
import { pageSize, parseFilter } from "~/features/square/filter";
import { refusalAnswer } from "~server/bff/refusal-answer.server";
import { readSquare } from "~server/bff/square.server";

/** A further page of the square, by the same query as the page's own address. */
export async function loader({ request, context: { upstream, session } }: LoaderFunctionArgs) {
  const filter = parseFilter(new URL(request.url).searchParams);
  try {
    const { list, total } = await readSquare(upstream, filter, pageSize);
    return Response.json({ humans: list, total });
  } catch (error) {
    return refusalAnswer(error, session);
  }
}
