import { jsonRoute } from "~server/bff/json-route.server";
import { answerShareFile } from "~server/bff/shares.server";

/** The sound, the timeline or the preview picture of a shared page; 404 once the page is gone. */
export const loader = jsonRoute(({ request, params, context: { upstream } }) =>
  answerShareFile(upstream, request, params),
);
