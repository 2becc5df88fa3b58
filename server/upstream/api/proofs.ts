import type { Proofs } from "../voices/proofs/proofs";
import type { Auth } from "./auth";
import { createCallRoutes } from "./calls";

/** Proofs of voices: a prompt, its judgement, and a review by operators. */
export const createProofRoutes = ({ proofs, auth }: { proofs: Proofs; auth: Auth }) =>
  createCallRoutes(auth, {
    proofPrompt: (request, { owner, address }) => proofs.createPrompt({ owner, address }, request),
    proofSubmit: (request, { owner }) => proofs.submit({ owner }, request),
    proofResult: ({ promptId }, { owner }) => proofs.getResult(owner, promptId),
    proofReview: ({ promptId }, { owner }) => proofs.askReview(owner, promptId),
  });
