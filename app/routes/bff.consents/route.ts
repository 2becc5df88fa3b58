import { createConsentLink, listConsentLinks } from "~server/bff/consent-links.server";
import { jsonRoute, queryOf, readInput } from "~server/bff/json-route.server";
import type { CallInput } from "~server/bff/upstream.server";
import { textOf } from "~server/bff/upstream-call.server";

/** The account's links that ask for consent, with `?roleId=` those of one role, as `{links}`. */
export const loader = jsonRoute(async ({ request, context: { upstream, siteUrl } }) => ({
  links: await listConsentLinks(upstream, queryOf(request).get("roleId") ?? "", siteUrl),
}));

/**
 * POST `{roleId, askerName}` makes a link; answers `{link}`. DELETE `{linkId}` ends an open one or takes it from the list.
 * For the person with the link: `?prompt` with `{token}` answers `{prompt}`; `?submit` with `{token, promptId, voicePath}`
 * answers `{result}`, which `?result` with `{token}` answers again; `?review` with `{token}` asks operators to listen.
 */
export const action = jsonRoute({
  POST: async ({ request, context: { upstream, siteUrl } }) => {
    const query = queryOf(request);
    const input = await readInput(request);
    if (query.has("prompt")) return { prompt: await upstream.call("consentPrompt", { token: textOf(input.token) }) };
    if (query.has("submit")) {
      return { result: await upstream.call("consentSubmit", input as CallInput<"consentSubmit">) };
    }
    if (query.has("result")) {
      // In a body, because logs have addresses and the token is a secret.
      return { result: (await upstream.call("consentAsk", { token: textOf(input.token) })).attempt };
    }
    if (query.has("review")) {
      await upstream.call("consentAnswer", { token: textOf(input.token), answer: "review" });
      return {};
    }
    return { link: await createConsentLink(upstream, input, siteUrl) };
  },
  DELETE: async ({ request, context: { upstream } }) => {
    await upstream.call("consentLinkRemove", { linkId: textOf((await readInput(request)).linkId) });
    return {};
  },
});
