import { useState } from "react";
import { refusalOf } from "~/call";
import { toneDialogCopy } from "~/copy/dubbing";
import { sentenceFor } from "~/copy/errors";
import { chosenReference, noReferences, referenceFault, uploadReference } from "~/features/reference/reference";
import { ReferencePanel } from "~/features/reference/reference-panel";
import type { Tone } from "~/features/tone/tone";
import { TonePanel } from "~/features/tone/tone-panel";
import { Button } from "~/ui/button";
import { Dialog } from "~/ui/dialog";
import type { Delivery } from "./editor/script";

interface ToneDialogProps {
  name: string;
  delivery: Delivery;
  /** Lines of the same role, this one included. */
  sameRoleCount: number;
  isProfessional: boolean;
  onLocked(): void;
  onPlay(): void;
  onDone(delivery: Delivery, isForAll: boolean): void;
  onClose(): void;
}

/** Edits the delivery of a line, or of all lines of its role. */
export function ToneDialog(props: ToneDialogProps) {
  const { name, delivery, sameRoleCount, isProfessional, onLocked, onPlay, onDone, onClose } = props;
  const [tone, setTone] = useState<Tone>(() => toTone(delivery));
  const [references, setReferences] = useState(noReferences);
  const [isForAll, setForAll] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);

  const done = async () => {
    const emotionPath = await findEmotionPath();
    if (emotionPath === null) return;
    const { speed, pitch, volume, genre, ext } = tone;
    onDone({ speed, pitch, volume, genre, ext: genre === 2 ? ext : undefined, emotionPath }, isForAll);
  };
  /** The path of the reference recording, undefined if the tone needs none; null after a failure, which is shown. */
  const findEmotionPath = async (): Promise<string | undefined | null> => {
    if (tone.genre !== 1) return undefined;
    const reference = chosenReference(references);
    if (!reference && delivery.emotionPath) return delivery.emotionPath;
    const referenceProblem = referenceFault(references);
    setFault(referenceProblem);
    if (referenceProblem || !reference) return null;
    setSending(true);
    try {
      return await uploadReference(reference);
    } catch (error) {
      setFault(sentenceFor(refusalOf(error)));
      return null;
    } finally {
      setSending(false);
    }
  };
  return (
    <Dialog closeLabel={toneDialogCopy.close} onClose={onClose} title={toneDialogCopy.title(name)}>
      <div className="mt-3">
        <TonePanel
          isProfessional={isProfessional}
          onChange={(change) => setTone((now) => ({ ...now, ...change }))}
          onLocked={onLocked}
          reference={
            <ReferencePanel
              onChange={(change) => setReferences((now) => ({ ...now, ...change }))}
              onPlay={onPlay}
              value={references}
            />
          }
          value={tone}
        />
      </div>
      {fault && (
        <p className="mt-2 text-xs text-seal" role="alert">
          {fault}
        </p>
      )}
      {sameRoleCount > 1 && (
        <label className="mt-2 flex min-h-[44px] cursor-pointer items-center gap-2.5 text-sm">
          <input
            checked={isForAll}
            className="h-4 w-4"
            onChange={(event) => setForAll(event.target.checked)}
            type="checkbox"
          />
          {toneDialogCopy.forAll(name, sameRoleCount)}
        </label>
      )}
      <Button className="mt-3 w-full" kind="primary" onClick={() => void done()} pending={isSending}>
        {isSending ? toneDialogCopy.sending : toneDialogCopy.done}
      </Button>
    </Dialog>
  );
}

const toTone = ({ speed, pitch = 0, volume = 0, genre, ext = {} }: Delivery): Tone => ({
  speed,
  pitch,
  volume,
  genre,
  ext,
});
