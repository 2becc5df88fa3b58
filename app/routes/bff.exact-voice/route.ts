import { jsonRoute, readInput } from "~server/bff/json-route.server";
import type { CallInput } from "~server/bff/upstream.server";

/** GET: how the installation of the exact cloner gets on. Once it speaks, all pages say so. */
export const loader = jsonRoute(async ({ context: { upstream } }) => {
  const voice = await upstream.call("exactVoice", {});
  if (voice.state === "speaking") await upstream.renewCapabilities();
  return voice;
});

/** POST `{isAccepted: true}` installs it, DELETE ends that; the same answer. */
export const action = jsonRoute({
  POST: async ({ request, context: { upstream } }) =>
    upstream.call("exactVoiceInstall", (await readInput(request)) as CallInput<"exactVoiceInstall">),
  DELETE: ({ context: { upstream } }) => upstream.call("exactVoiceCancel", {}),
});
