import { jsonRoute } from "~server/bff/json-route.server";
import { UpstreamRefusal } from "~server/bff/refusal.server";

/** POST a file as multipart. It is streamed to the upstream and not stored here. */
export const action = jsonRoute({
  POST: async ({ request, params: { kind }, context: { upstream } }) => {
    if (kind === "recordings") return { recording: await upstream.upload("recordingUpload", request) };
    if (kind === "images") return { image: { url: (await upstream.upload("fileUpload", request)).url } };
    if (kind === "music") return { music: await upstream.upload("musicUpload", request) };
    if (kind === "transcriptions") return { transcription: await upstream.upload("transcribe", request) };
    if (kind === "verify") return { verified: await upstream.upload("verify", request) };
    throw new UpstreamRefusal({ code: "not-found" });
  },
});
