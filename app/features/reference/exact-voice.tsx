import { useRevalidator } from "@remix-run/react";
import { useCallback, useEffect, useRef, useState } from "react";
import { bffPaths, call } from "~/call";
import { exactVoiceSentence, exactVoiceCopy as words } from "~/copy/exact-voice";
import { megabytes } from "~/copy/site";
import { Button } from "~/ui/button";
import { Dialog } from "~/ui/dialog";
import { Fault, LiveRegion, ProgressBar, usePolling } from "~/ui/feedback";
import type { CallData } from "~server/contract/calls/table";

type ExactVoiceState = CallData<"exactVoice">;

const askEveryMs = 2_000;

/** Offers the exact cloner where this machine may install it, and shows how its installation gets on. */
export function ExactVoice() {
  const { voice, isLost, act, hasCome } = useExactVoice();
  const [isAsking, setAsking] = useState(false);
  if (!voice || (voice.state === "speaking" && !hasCome)) return null;
  const { state, received, total, isCancellable } = voice;
  const isOpen = state === "absent" || state === "failed";
  const sentence = exactVoiceSentence(voice);
  return (
    <section aria-label={words.label} className="grid gap-2 rounded bg-wash px-4 py-3 text-sm">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <p className="tabular min-w-[min(100%,14em)] flex-1 text-muted">
          {sentence} {state === "queued" && words.others}
        </p>
        {isOpen && (
          <Button onClick={() => setAsking(true)}>
            {state === "failed" ? words.again : words.install(`${megabytes(total)} MB`)}
          </Button>
        )}
        {!isOpen && isCancellable && (
          <Button kind="quiet" onClick={() => void act("DELETE")}>
            {words.cancel}
          </Button>
        )}
      </div>
      {(state === "arriving" || state === "trying") && (
        <ProgressBar label={words.progress} value={state === "arriving" && total > 0 ? received / total : null} />
      )}
      <Fault className="text-xs">{isLost && words.unreachable}</Fault>
      <LiveRegion>{state === "arriving" || state === "absent" ? "" : sentence}</LiveRegion>
      {isAsking && (
        <LicenceDialog
          onAccept={() => {
            setAsking(false);
            void act("POST");
          }}
          onClose={() => setAsking(false)}
          voice={voice}
        />
      )}
    </section>
  );
}

interface LicenceDialogProps {
  voice: ExactVoiceState;
  onAccept(): void;
  onClose(): void;
}

function LicenceDialog({ voice, onAccept, onClose }: LicenceDialogProps) {
  const { dialog } = words;
  const facts = [
    [dialog.size, dialog.sizeOf(`${megabytes(voice.total)} MB`)],
    [dialog.licence, voice.licence],
    [dialog.sale, dialog.sales[voice.mayBeSold]],
    [dialog.needs, dialog.needed],
  ];
  return (
    <Dialog
      closeLabel={dialog.close}
      description={dialog.description}
      onClose={onClose}
      title={dialog.title}
      width="medium"
    >
      <dl className="mt-4 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-2 text-sm">
        {facts.map(([name, value]) => (
          <div className="contents" key={name}>
            <dt className="text-muted">{name}</dt>
            <dd className="break-words">{value}</dd>
          </div>
        ))}
      </dl>
      <a
        className="mt-2 inline-flex min-h-[44px] items-center text-sm underline underline-offset-4"
        href={voice.about}
        rel="noreferrer"
        target="_blank"
      >
        {dialog.about}
      </a>
      <div className="mt-4 flex flex-col-reverse gap-3 md:flex-row md:justify-end">
        <Button onClick={onClose}>{words.cancel}</Button>
        <Button kind="primary" onClick={onAccept}>
          {dialog.accept}
        </Button>
      </div>
    </Dialog>
  );
}

/** Null until it is known, and where the upstream has no such cloner. */
function useExactVoice() {
  const [voice, setVoice] = useState<ExactVoiceState | null>(null);
  const [isLost, setLost] = useState(false);
  const wasComing = useRef(false);
  const { revalidate } = useRevalidator();
  const read = useCallback(
    // The next answer may arrive where one fails.
    () => call<ExactVoiceState>(bffPaths.exactVoice).then(setVoice, () => {}),
    [],
  );
  useEffect(() => {
    void read();
  }, [read]);
  const state = voice?.state;
  const isComing = state === "queued" || state === "arriving" || state === "trying";
  usePolling(isComing, read, askEveryMs);
  const hasCome = state === "speaking" && wasComing.current;
  useEffect(() => {
    if (isComing) wasComing.current = true;
    if (hasCome) revalidate();
  }, [isComing, hasCome, revalidate]);
  const act = (method: "POST" | "DELETE") => {
    setLost(false);
    const body = method === "POST" ? { isAccepted: true } : undefined;
    return call<ExactVoiceState>(bffPaths.exactVoice, { method, body }).then(setVoice, () => setLost(true));
  };
  return { voice, isLost, act, hasCome };
}
