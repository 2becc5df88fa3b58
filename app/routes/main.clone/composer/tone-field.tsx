import { Suspense, useId, useState } from "react";
import { sentenceFor } from "~/copy/errors";
import { joinDetails } from "~/copy/format";
import { toneCopy as words } from "~/copy/generation";
import { useAccount } from "~/features/account/provider";
import { usePlayer } from "~/features/player/provider";
import { notify } from "~/features/toasts/notify";
import { toneName } from "~/features/tone/tone";
import { useHasCall } from "~/state/capabilities";
import { askToBuy } from "~/state/dialog-requests";
import { Button } from "~/ui/button";
import { Fault, Skeleton } from "~/ui/feedback";
import { lazyPart } from "~/ui/lazy-part";
import { type Draft, toneChange, toneReferences } from "./draft";
import { ReferenceField } from "./reference-field";

interface ToneFieldProps {
  draft: Draft;
  isProfessional: boolean;
  /** Shown below, and opens the controls. */
  problem: string | null;
  onChange(change: Partial<Draft>): void;
  /** The user's recording is about to play. */
  onPlay(): void;
}

/** The tone in one line; its controls are folded away until they are wanted. */
export function ToneField({ problem, ...controls }: ToneFieldProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const { tone } = controls.draft;
  const isShown = isOpen || problem !== null;
  return (
    <section aria-labelledby={`${id}-heading`} className="border-t border-dashed border-line py-4">
      <div className="flex flex-wrap items-center gap-x-3">
        <h2 className="font-song text-lg font-semibold leading-7" id={`${id}-heading`}>
          {words.heading}
        </h2>
        <p className="tabular min-w-0 flex-1 text-sm text-muted">
          {joinDetails(toneName(tone), words.speedText(tone.speed))}
        </p>
        <Button aria-controls={`${id}-controls`} aria-expanded={isShown} onClick={() => setOpen(!isShown)}>
          {isShown ? words.fold : words.change}
        </Button>
      </div>
      <div className={isShown ? "mt-3" : ""} id={`${id}-controls`}>
        {isShown && (
          <Suspense fallback={<Skeleton className="h-[15rem]" />}>
            <ToneControls {...controls} />
          </Suspense>
        )}
      </div>
      <Fault className="mt-2 text-xs">{problem}</Fault>
    </section>
  );
}

const TonePanel = lazyPart(async () => ({ default: (await import("~/features/tone/tone-panel")).TonePanel }));

function ToneControls({ draft, isProfessional, onChange, onPlay }: Omit<ToneFieldProps, "problem">) {
  const { tone, from, voice, content } = draft;
  const { isLogin } = useAccount().account;
  const { play } = usePlayer();
  const canHear = useHasCall("sample") && isLogin;
  return (
    <TonePanel
      isProfessional={isProfessional}
      onChange={(next) => onChange({ tone: { ...tone, ...next } })}
      onLocked={() => askToBuy({ packageType: 2 })}
      reference={
        <ReferenceField
          onChange={(next) => onChange(toneChange(next))}
          onPlay={onPlay}
          onReplace={() => onChange({ emotionPath: "" })}
          path={draft.emotionPath}
          value={toneReferences(draft)}
        />
      }
      sample={
        canHear
          ? {
              content,
              roleId: from === "role" ? (voice?.roleId ?? "") : "",
              play,
              onRefused: (refusal) => notify({ kind: "error", text: sentenceFor(refusal) }),
            }
          : null
      }
      value={tone}
    />
  );
}
