import { jsonRoute } from "~server/bff/json-route.server";
import { UpstreamRefusal } from "~server/bff/refusal.server";
import { isUploadName } from "~server/bff/upload.server";

/** POST a file as multipart; answers the upload call's data. It is streamed to the upstream and not stored here. */
export const action = jsonRoute({
  POST: ({ request, params: { name = "" }, context: { upstream } }) => {
    if (!isUploadName(name)) throw new UpstreamRefusal({ code: "not-found" });
    return upstream.upload(name, request);
  },
});
