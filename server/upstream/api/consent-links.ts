import type { ConsentLinks } from "../voices/consent-links";
import type { Auth } from "./auth";
import { createCallRoutes } from "./calls";

/** Links that ask for the consent of another person: the account's calls, and those of the person with the link. */
export const createConsentLinkRoutes = ({ links, auth }: { links: ConsentLinks; auth: Auth }) =>
  createCallRoutes(auth, {
    consentLinkCreate: (request, { accountId }) => links.create(accountId, request),
    consentLinkList: (query, { accountId }) => links.list(accountId, query),
    consentLinkRemove: ({ linkId }, { accountId }) => links.remove(accountId, linkId),
    consentAsk: ({ token }) => links.ask(token),
    consentPrompt: ({ token }, { address }) => links.createPrompt(token, address),
    consentSubmit: (request, { owner, address }) => links.submit({ owner, address }, request),
    consentAnswer: (request) => links.answer(request),
  });
