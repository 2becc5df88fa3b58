import { startTransition, useEffect, useState } from "react";
import { trialCopy } from "~/copy/home";
import { readDraft, writeDraft } from "~/features/draft/draft";

const draftKey = "trial-text";

/** The text of the trial card: an example to begin with, what was written before after a reload. */
export function useText() {
  const [text, setText] = useState<string>(trialCopy.text.examples[0].text);
  useEffect(() => {
    const kept = readDraft<{ text: string }>(draftKey)?.text;
    // A plain update would throw away the panel that is still hydrating.
    if (typeof kept === "string") startTransition(() => setText(kept));
  }, []);
  const write = (next: string) => {
    setText(next);
    writeDraft(draftKey, { text: next });
  };
  return [text, write] as const;
}
