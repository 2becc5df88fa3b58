import { jsonRoute, queryOf, readInput } from "~server/bff/json-route.server";
import { createShare, findShare, revokeShare } from "~server/bff/shares.server";

/** `?kind=&id=`: the public page of a result as `{share}`, null if it has none. */
export const loader = jsonRoute(async ({ request, context: { upstream } }) => ({
  share: await findShare(upstream, queryOf(request)),
}));

/** POST `{kind, id, isListed}` makes a result public; answers `{share}`. DELETE `{shareId}` revokes the page. */
export const action = jsonRoute({
  POST: async ({ request, context: { upstream } }) => ({
    share: await createShare(upstream, await readInput(request)),
  }),
  DELETE: async ({ request, context: { upstream } }) => {
    await revokeShare(upstream, (await readInput(request)).shareId);
    return {};
  },
});
