import { type ReactNode, useEffect, useRef } from "react";
import { composerCopy } from "~/copy/clone";
import { sentenceFor } from "~/copy/errors";
import { joinClauses } from "~/copy/format";
import { noScriptCopy } from "~/copy/pages";
import { cloningSentence } from "~/copy/recording";
import { useAccount } from "~/features/account/provider";
import { usePlayer } from "~/features/player/provider";
import { paths } from "~/paths";
import { useCapabilities, useHasCall } from "~/state/capabilities";
import { askToBuy, askToLogIn, usePendingAction } from "~/state/dialog-requests";
import { Card } from "~/ui/card";
import { Fault, LiveRegion, NoScript } from "~/ui/feedback";
import { usePressWhenReady } from "~/ui/store";
import type { Allowance } from "~server/bff/accounts.server";
import type { CloneRecord } from "~server/bff/generations.server";
import { limitOf, type Problem } from "./draft";
import { CostLine, costOf, SubmitBar } from "./submit-bar";
import { TextField } from "./text-field";
import { ToneField } from "./tone-field";
import type { useComposer } from "./use-composer";
import { VoiceField } from "./voice-field";

interface ComposerProps {
  state: ReturnType<typeof useComposer>;
  allowance: Allowance | null;
  /** The record that the draft would only repeat. */
  equal: CloneRecord | null;
  /** A job of the account runs. */
  hasRunning: boolean;
}

const phaseText = { idle: composerCopy.going, uploading: composerCopy.sending, starting: composerCopy.going };

/** The form for a generation: voice, text, tone, cost and the button. */
export function Composer({ state, allowance, equal, hasRunning }: ComposerProps) {
  const { draft, change, isRestored, phase, problem, refusal } = state;
  const { account } = useAccount();
  const hasProofs = useHasCall("proofPrompt");
  const player = usePlayer();
  const { vendors } = useCapabilities();
  const field = useRef<HTMLTextAreaElement>(null);
  const isProfessional = account.isSvip || allowance?.tier === "svip";
  const problemAt = (where: Problem["where"]) => (problem?.where === where ? problem.sentence : null);
  const pause = () => {
    if (player.isPlaying) player.toggle();
  };

  const submit = () => {
    if (!account.isLogin) return askToLogIn("to-clone");
    void state.submit();
  };
  const { isWaiting, press } = usePressWhenReady(submit);
  usePendingAction(isRestored && account.isLogin, {
    "to-clone": submit,
    "clone-again": () => void state.submit({ isAgain: true }),
  });
  useEffect(() => {
    if (problem?.where === "text") field.current?.focus();
  }, [problem]);
  const isBusy = isWaiting || phase !== "idle";
  const cost = costOf(draft.content, allowance, account.isLogin);

  return (
    <Card aria-label={composerCopy.label} className="px-4 pb-4 pt-1 shadow-card md:px-6 md:pb-6 md:pt-2" role="region">
      <NoScript link={noScriptCopy.toSquare} sentence={noScriptCopy.clone} to={paths.square} />
      <Part heading={composerCopy.voice.heading} problem={problemAt("voice")}>
        <VoiceField draft={draft} onChange={change} onPlay={pause} />
      </Part>
      <Part heading={composerCopy.text.heading}>
        <TextField
          content={draft.content}
          field={field}
          limit={limitOf(allowance)}
          onContent={(content) => change({ content })}
          onUpgrade={isProfessional ? null : () => askToBuy({ packageType: "tier" })}
          problem={problemAt("text") ?? undefined}
          roleId={draft.from === "role" ? (draft.voice?.roleId ?? "") : ""}
        />
      </Part>
      <ToneField
        draft={draft}
        isProfessional={isProfessional}
        onChange={change}
        onPlay={pause}
        problem={problemAt("tone")}
      />
      <div className="stays-in-view -mx-4 -mb-4 rounded-b-card border-t border-line bg-surface px-4 pb-3 pt-3 md:-mx-6 md:-mb-6 md:px-6 md:pb-6">
        <div className="flex flex-col gap-2 md:flex-row md:flex-wrap md:items-center md:gap-x-4">
          <SubmitBar
            cost={cost}
            equal={equal}
            onAgain={() => void state.submit({ isAgain: true })}
            onGo={press}
            pendingText={isBusy ? phaseText[phase] : null}
          />
          <div className="md:min-w-0 md:flex-[1_1_12rem]">
            <CostLine cost={cost} equal={equal} hasRunning={hasRunning} />
            {draft.from === "reference" && (
              <p className="text-xs text-muted">
                {hasProofs ? joinClauses(cloningSentence(vendors), composerCopy.voice.kept) : cloningSentence(vendors)}
              </p>
            )}
          </div>
        </div>
        <Fault className="mt-3 text-sm">{refusal && sentenceFor(refusal)}</Fault>
      </div>
      <LiveRegion>{phase === "idle" ? "" : phaseText[phase]}</LiveRegion>
    </Card>
  );
}

interface PartProps {
  heading: string;
  problem?: string | null;
  children: ReactNode;
}

function Part({ heading, problem, children }: PartProps) {
  return (
    <section aria-label={heading} className="border-t border-dashed border-line py-4 first-of-type:border-t-0">
      <h2 className="mb-2 font-song text-lg font-semibold leading-7">{heading}</h2>
      {children}
      <Fault className="mt-2 text-xs">{problem}</Fault>
    </section>
  );
}
