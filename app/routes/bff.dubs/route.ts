import { createDub, findDub, parseDubFormat, readDubs, readStudioView } from "~server/bff/generations.server";
import { idempotencyKeyOf, jsonRoute, queryOf, readInput } from "~server/bff/json-route.server";
import { mediaResponse } from "~server/bff/media-file.server";
import type { CallInput, Upstream } from "~server/bff/upstream.server";

/**
 * `?studio` the data of the dubbing page, with the role of `&role=`; `?taskId=` one dub as `{dub}`; `?dubbId=&format=&download=` the file of a finished dub under that name; otherwise a
 * page of dubs by `?page=&keyword=`.
 */
export const loader = jsonRoute(async ({ request, context }) => {
  const { upstream } = context;
  const query = queryOf(request);
  if (query.has("studio")) return readStudioView(context, query.get("role"));
  const dubbId = query.get("dubbId");
  if (dubbId !== null) return exportDub(upstream, dubbId, request);
  const taskId = query.get("taskId");
  return taskId ? { dub: await findDub(upstream, taskId) } : readDubs(upstream, query);
});

async function exportDub(upstream: Upstream, dubbId: string, request: Request): Promise<Response> {
  const query = queryOf(request);
  const format = parseDubFormat(query.get("format"));
  const answer = mediaResponse(await upstream.openExport(dubbId, format), query.get("download") ?? `dub.${format}`);
  // The body of a HEAD is never read; without this the upstream would wait for its reader.
  if (request.method === "HEAD") await answer.body?.cancel();
  return answer;
}

/** POST starts a dub or a take; answers `{dub}`. */
export const action = jsonRoute({
  POST: async ({ request, context: { upstream } }) => {
    const input = (await readInput(request)) as CallInput<"dubCreate">;
    return { dub: await createDub(upstream, input, idempotencyKeyOf(request)) };
  },
});
