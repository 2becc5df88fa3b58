import type { LoaderFunctionArgs } from "@remix-run/node";
import { mediaAnswer } from "~server/bff/media.server";

/** `?url=` a file the upstream named, `&download=` the name to save it under; 204 when it is not to be had. */
export async function loader({ request, context: { upstream } }: LoaderFunctionArgs) {
  const query = new URL(request.url).searchParams;
  const file = await upstream.openFile(query.get("url") ?? "", request.headers.get("range"));
  const answer = mediaAnswer(file, query.get("download"));
  // Nobody reads the body of a HEAD; the upstream must not wait for it.
  if (request.method === "HEAD") await answer.body?.cancel();
  return answer;
}
