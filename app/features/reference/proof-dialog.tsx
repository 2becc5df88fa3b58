import { useState } from "react";
import { proofCopy as words } from "~/copy/proof";
import { Dialog } from "~/ui/dialog";
import { ProofSteps } from "./proof-steps";
import { createProofCalls, type ProvenVoice, useProof } from "./use-proof";

interface ProofDialogProps {
  voice: ProvenVoice;
  /** Name of the person, for a new recording of a voice that is too short to be proven. */
  name: string;
  onClose(): void;
  /** The dialog is about to play or record: other playback should pause. */
  onPlay(): void;
  /** The voice is proven, or operators were asked: what shows it is out of date. */
  onChange(): void;
  /** Called with a proven voice; without it the dialog closes after the proof. */
  onPublish?: (() => void) | undefined;
}

/** Asks for a proof of a voice in a dialog. `lazy` requires a default export. */
export default function ProofDialog({ voice, name, onClose, onPlay, onChange, onPublish }: ProofDialogProps) {
  const [calls] = useState(() => createProofCalls(voice));
  const proof = useProof(calls);
  const { state } = proof;
  const hasPassed = state.step === "answered" && state.result.outcome === "yes";
  const isReading = state.step === "reading" || state.step === "loading";
  const close = () => {
    if (state.step === "judging" || state.step === "answered" || state.step === "review-asked") onChange();
    onClose();
  };
  const finish = () => {
    close();
    if (hasPassed) onPublish?.();
  };
  return (
    <Dialog
      closeLabel={words.close}
      description={isReading ? (onPublish ? words.toPublishFirst : "") + words.description : undefined}
      onClose={close}
      title={hasPassed ? words.passedTitle : words.title}
      width="medium"
    >
      <ProofSteps
        canListen
        doneLabel={onPublish && words.toPublish}
        name={name}
        onDone={finish}
        onPlay={onPlay}
        proof={proof}
      />
    </Dialog>
  );
}
