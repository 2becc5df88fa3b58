import { useState } from "react";
import { callApi } from "~/call";
import { consentPageCopy as words } from "~/copy/consent-link";
import { Button } from "~/ui/button";
import { ProofSteps } from "./proof-steps";
import { type ProofCalls, useProof } from "./use-proof";

interface GiveConsentProps {
  token: string;
  /** The answer is given, or operators were asked. */
  onDone(): void;
  onClose(): void;
}

/** The calls of the person with the link; `onDone` once the question is closed. */
export const createConsentCalls = (token: string, onDone: () => void): ProofCalls => ({
  prompt: () => callApi("consentPrompt", { token }),
  submit: (promptId, voicePath) => callApi("consentSubmit", { token, promptId, voicePath }),
  async result() {
    const { attempt } = await callApi("consentAsk", { token });
    if (attempt && attempt.outcome !== "yes") return attempt;
    // The question is closed: agreed, or ended meanwhile. A yes comes if that happens while the server answers.
    onDone();
    return null;
  },
  async review() {
    await callApi("consentAnswer", { token, answer: "review" });
    onDone();
  },
});

/** The prompt that the person reads aloud, its judgement, and what can be done next. `lazy` requires a default export. */
export default function GiveConsent({ token, onDone, onClose }: GiveConsentProps) {
  const [calls] = useState(() => createConsentCalls(token, onDone));
  const proof = useProof(calls);
  return (
    <>
      {/* Reading the prompt to a visitor would need an account; nothing else plays on this page. */}
      <ProofSteps canListen={false} onDone={onDone} onPlay={() => {}} proof={proof} />
      {proof.state.step !== "judging" && (
        <Button className="-ml-4 mt-4" kind="quiet" onClick={onClose}>
          {words.close}
        </Button>
      )}
    </>
  );
}
