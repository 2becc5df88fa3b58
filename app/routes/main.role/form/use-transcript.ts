import { useEffect, useRef, useState } from "react";
import { type Reference, transcribeSound } from "~/features/reference/reference";
import { useHasCall } from "~/offer";

/** What the recogniser wrote into the field, and for which recording. */
interface Written {
  referenceId: string;
  text: string;
}

/**
 * Writes the words of an uploaded recording into its field, unless the person typed something. Without a recogniser, and
 * where it fails, the field stays as it is. Returns true while the words are being recognised.
 */
export function useTranscript(reference: Reference | null, transcript: string, onTranscript: (text: string) => void) {
  const isOffered = useHasCall("transcribe");
  const written = useRef<Written | null>(null);
  const typed = useRef(transcript);
  typed.current = transcript;
  const write = useRef(onTranscript);
  write.current = onTranscript;
  const [isListening, setListening] = useState(false);
  const isUsable = reference !== null && reference.quality?.verdict !== "refused";

  useEffect(() => {
    if (!isOffered || !isUsable || written.current?.referenceId === reference.id) return;
    const isOwn = () => typed.current === "" || typed.current === written.current?.text;
    if (!isOwn()) return;
    const controller = new AbortController();
    setListening(true);
    transcribeSound(reference.sound, reference.name, controller.signal)
      .then(({ text }) => {
        if (controller.signal.aborted || !isOwn()) return;
        written.current = { referenceId: reference.id, text };
        write.current(text);
      })
      .catch(() => {})
      .finally(() => {
        if (!controller.signal.aborted) setListening(false);
      });
    return () => {
      controller.abort();
      setListening(false);
    };
  }, [isOffered, isUsable, reference]);

  return isListening;
}
