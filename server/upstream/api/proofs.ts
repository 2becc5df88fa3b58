import type { ConsentLinks } from "../voices/consent-links";
import type { Proofs } from "../voices/proofs/proofs";
import type { Auth } from "./auth";
import { createCallRoutes } from "./calls";

/** Proofs of voices: a prompt, its judgement, and a review by operators. */
export const createProofRoutes = (proofs: Proofs, auth: Auth) =>
  createCallRoutes(auth, {
    proofPrompt: (request, { owner, address }) => proofs.createPrompt({ owner, address }, request),
    proofSubmit: (request, { owner }) => proofs.submit({ owner }, request),
    proofResult: ({ promptId }, { owner }) => proofs.getResult(owner, promptId),
    proofReview: ({ promptId }, { owner }) => proofs.askReview(owner, promptId),
  });

/** Links that ask for the consent of another person: the account's calls, and those of the person with the link. */
export const createConsentLinkRoutes = (links: ConsentLinks, auth: Auth) =>
  createCallRoutes(auth, {
    consentLinkCreate: (request, { accountId }) => links.create(accountId, request),
    consentLinkList: (query, { accountId }) => links.list(accountId, query),
    consentLinkRemove: ({ linkId }, { accountId }) => links.remove(accountId, linkId),
    consentAsk: ({ token }) => links.ask(token),
    consentPrompt: ({ token }, { address }) => links.createPrompt(token, address),
    consentSubmit: (request, { owner, address }) => links.submit({ owner, address }, request),
    consentAnswer: (request) => links.answer(request),
  });
