import { createConsentLink, listConsentLinks } from "~server/bff/consent-links.server";
import { jsonRoute, queryOf, readInput } from "~server/bff/json-route.server";
import type { CallInput } from "~server/bff/upstream.server";

/** The account's links that ask for consent, with `?roleId=` those of one role, as `{links}`. */
export const loader = jsonRoute(async ({ request, context: { upstream, siteUrl } }) => ({
  links: await listConsentLinks(upstream, queryOf(request).get("roleId") ?? "", siteUrl),
}));

/** POST `{roleId, askerName}` makes a link; answers `{link}`. */
export const action = jsonRoute({
  POST: async ({ request, context: { upstream, siteUrl } }) => {
    const input = (await readInput(request)) as CallInput<"consentLinkCreate">;
    return { link: await createConsentLink(upstream, input, siteUrl) };
  },
});
