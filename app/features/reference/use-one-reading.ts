import { useCallback, useEffect, useState } from "react";
import { callApi } from "~/call";
import { hasUnfinishedPart, useUnfinishedPart } from "~/ui/store";
import type { CallData } from "~server/contract/calls/table";
import { type Reference, refusedSentence, uploadReference } from "./reference";

/** A prompt lives five minutes at our upstream; it is replaced before a reading of a minute could outlive it. */
const renewAfterMs = 180_000;

const textOf = ({ statement, lines }: CallData<"proofPrompt">) =>
  `${statement}${lines.map((words) => words.join("、")).join("，")}。`;

/**
 * One reading that is reference, consent and proof of a new voice: `sentence` is to be read aloud, null while none is
 * given. `take` stores a recording; one of the sentence is also handed in, and has a `promptId` then. Where that fails, the
 * recording stays a reference and the consent is given apart. `isHandingIn` is true until either is known.
 */
export function useOneReading(isWanted: boolean, store: (reference: Reference | null) => void) {
  const [prompt, setPrompt] = useState<CallData<"proofPrompt"> | null>(null);
  const [isHandingIn, setHandingIn] = useState(false);
  useUnfinishedPart(isHandingIn);
  const ask = useCallback(
    async () => setPrompt(await callApi("proofPrompt", { isNewVoice: true }).catch(() => null)),
    [],
  );
  useEffect(() => {
    if (!isWanted) return;
    void ask();
    const timer = setInterval(() => !hasUnfinishedPart() && void ask(), renewAfterMs);
    return () => clearInterval(timer);
  }, [isWanted, ask]);
  const sentence = isWanted && prompt ? textOf(prompt) : null;

  const take = async (reference: Reference | null) => {
    store(reference);
    if (!reference || !prompt || reference.transcript !== sentence || refusedSentence(reference)) return;
    setHandingIn(true);
    try {
      const voicePath = await uploadReference(reference);
      await callApi("proofSubmit", { promptId: prompt.promptId, voicePath });
      store({ ...reference, voicePath, promptId: prompt.promptId });
    } catch {
      // Nothing is lost: the form asks for the consent in its own part.
    }
    setHandingIn(false);
    void ask();
  };
  return { sentence, isHandingIn, take };
}
