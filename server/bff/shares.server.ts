import type { CallData } from "../contract/calls/table";
import { mediaResponse } from "./media-file.server";
import { nullIfMissing, toRefusal } from "./refusal.server";
import type { Upstream } from "./upstream.server";

export type SharedWork = CallData<"shareInfo">;

/** View of a shared work with the answer's status: 404 if it never existed, 410 if it was removed. */
export async function readShared(
  upstream: Upstream,
  shareId: string,
): Promise<{ work: SharedWork | null; status: number }> {
  try {
    return { work: await upstream.call("shareInfo", { shareId }), status: 200 };
  } catch (error) {
    return { work: nullIfMissing(error), status: toRefusal(error).data?.isGone ? 410 : 404 };
  }
}

export async function reportShare(upstream: Upstream, shareId: string, reason: string): Promise<void> {
  await upstream.call("shareReport", { shareId, reason });
}

const partsByName = new Map([
  ["sound.mp3", "sound"],
  ["timeline.json", "timeline"],
  ["film.mp4", "film"],
  ["film.webm", "film"],
  ["card.png", "card"],
] as const);

/** Messengers load the picture more than once; a revoked page's must not stay for long. */
const keptCardSeconds = 300;

/** A file of a shared page by its name in the page's address; 404 if there is none. */
export async function answerShareFile(upstream: Upstream, request: Request, { id = "", part: name = "" }) {
  const part = partsByName.get(name as "sound.mp3");
  if (!part) return new Response(null, { status: 404 });
  const file = await upstream.openShareFile({ shareId: id, part, range: request.headers.get("range") });
  if (!file) return new Response(null, { status: 404 });
  if (part === "card") file.headers.set("cache-control", `public, max-age=${keptCardSeconds}`);
  const answer = mediaResponse(file, null);
  // The body of a HEAD is never read; without this the upstream would wait for its reader.
  if (request.method === "HEAD") await answer.body?.cancel();
  return answer;
}
