import type { LoaderFunctionArgs } from "@remix-run/node";
import { parseDubFormat } from "~server/bff/dubs.server";
import { mediaAnswer } from "~server/bff/media-answer.server";
import { refusalAnswer } from "~server/bff/refusal-answer.server";

/** `?format=` mp3 · wav · zip · srt · lrc · vtt, saved as `?download=`; streamed, with its label as the upstream wrote it. */
export async function loader({ request, params, context: { upstream, session } }: LoaderFunctionArgs) {
  const query = new URL(request.url).searchParams;
  try {
    const format = parseDubFormat(query.get("format"));
    const file = await upstream.openExport(params.dubbId ?? "", format);
    const answer = mediaAnswer(file, query.get("download") ?? `dub.${format}`);
    // Nobody reads the body of a HEAD; the upstream must not wait for it.
    if (request.method === "HEAD") await answer.body?.cancel();
    return answer;
  } catch (error) {
    return refusalAnswer(error, session);
  }
}
