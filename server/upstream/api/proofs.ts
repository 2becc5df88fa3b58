import { Hono } from "hono";
import {
  proofPromptRequest,
  proofResultQuery,
  proofReviewRequest,
  proofSubmitRequest,
} from "~server/contract/calls/proofs";
import type { Proofs } from "../voices/proofs/proofs";
import { type Auth, addressOf } from "./auth";
import { answer } from "./envelope";
import { parse, parseQuery, readJson } from "./parse";

interface ProofRouteParts {
  proofs: Proofs;
  auth: Pick<Auth, "requireOwner">;
}

/** Proofs of voices: a prompt, its judgement, and a review by operators. */
export function createProofRoutes({ proofs, auth }: ProofRouteParts) {
  return new Hono()
    .post("/voice/proof/prompt", async (c) => {
      const caller = { owner: await auth.requireOwner(c), address: addressOf(c) };
      return answer(c, await proofs.createPrompt(caller, parse(proofPromptRequest, await readJson(c))));
    })
    .post("/voice/proof/submit", async (c) => {
      const owner = await auth.requireOwner(c);
      return answer(c, await proofs.submit({ owner }, parse(proofSubmitRequest, await readJson(c))));
    })
    .get("/voice/proof/result", async (c) => {
      const owner = await auth.requireOwner(c);
      return answer(c, await proofs.getResult(owner, parseQuery(c, proofResultQuery).promptId));
    })
    .post("/voice/proof/review", async (c) => {
      const owner = await auth.requireOwner(c);
      await proofs.askReview(owner, parse(proofReviewRequest, await readJson(c)).promptId);
      return answer(c, {});
    });
}
