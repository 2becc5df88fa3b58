import type { LoaderFunctionArgs } from "@remix-run/node";
import { mediaAnswer } from "~server/bff/media.server";

/** `?url=` a file the upstream named, `&download=` the name to save it under; 204 when it is not to be had. */
export async function loader({ request, context: { upstream } }: LoaderFunctionArgs) {
  const query = new URL(request.url).searchParams;
  const file = await upstream.openFile(query.get("url") ?? "", request.headers.get("range"));
  return mediaAnswer(file, query.get("download"));
}
