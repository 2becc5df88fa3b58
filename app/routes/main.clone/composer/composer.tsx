import { useNavigate } from "@remix-run/react";
import { type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { composerCopy } from "~/copy/clone";
import { sentenceFor } from "~/copy/errors";
import { toneCopy as toneWords } from "~/copy/generation";
import { noScriptCopy } from "~/copy/pages";
import { useAccount } from "~/features/account/provider";
import { askToBuy } from "~/features/checkout/buy-flag";
import { askToLogIn, rememberAction } from "~/features/login/login-flag";
import { Picture } from "~/features/portrait/picture";
import { useTheme } from "~/features/theme/theme";
import { notify } from "~/features/toasts/notify";
import { TonePanel } from "~/features/tone/tone-panel";
import type { Voice } from "~/features/voice-picker/voice";
import { paths } from "~/paths";
import { Button } from "~/ui/button";
import { Card } from "~/ui/card";
import { lazyPart } from "~/ui/lazy-part";
import { DialogFailure } from "~/ui/load-failure";
import { NoScript } from "~/ui/no-script";
import { Skeleton } from "~/ui/skeleton";
import { LiveRegion } from "~/ui/visually-hidden";
import type { Allowance } from "~server/bff/accounts.server";
import type { Refusal } from "~server/bff/refusal.server";
import { entitlementReasonOf } from "~server/contract/codes";
import { useAfterLogin } from "../use-after-login";
import { usePreview } from "../use-preview";
import { CostLine } from "./cost-line";
import { toneChange, toneReferences } from "./draft";
import { Part } from "./part";
import { costOf, limitOf } from "./readiness";
import { TextField } from "./text-field";
import type { useComposer } from "./use-composer";
import { KeptRecording, VoiceField } from "./voice-field";

const VoicePicker = lazyPart(
  async () => ({ default: (await import("~/features/voice-picker/voice-picker")).VoicePicker }),
  ({ onClose }, failure) => <DialogFailure failure={failure} onClose={onClose} />,
);
const ReferencePanel = lazyPart(async () => ({
  default: (await import("~/features/reference/reference-panel")).ReferencePanel,
}));

interface ComposerProps {
  work: ReturnType<typeof useComposer>;
  allowance: Allowance | null;
  /** The state and the sound of the last generation; stands above the button. */
  result: ReactNode;
}

/** A voice, a text, how it is said, what it takes, and one button. */
export function Composer({ work, allowance, result }: ComposerProps) {
  const { draft, change, isRestored, phase, problem, refusal } = work;
  const { account } = useAccount();
  const { colorMode } = useTheme();
  const { sounding, preview, hush } = usePreview();
  const [isPicking, setPicking] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const isProfessional = account.isSvip || allowance?.tier === "svip";
  const picture = (voice: Voice) => <Picture colorMode={colorMode} human={voice} />;
  const sayProblem = (where: string) => (problem?.where === where ? problem.sentence : null);

  const submit = () => {
    if (!account.isLogin) return askToLogIn("to-clone");
    void work.submit();
  };
  useAfterLogin(isRestored && account.isLogin, submit);
  useEffect(() => {
    if (problem?.where === "text") field.current?.focus();
  }, [problem]);

  return (
    <Card aria-label={composerCopy.label} className="px-4 pb-4 pt-1 shadow-card md:px-6 md:pb-6 md:pt-2" role="region">
      <NoScript link={noScriptCopy.toSquare} sentence={noScriptCopy.clone} to={paths.square} />
      <Part heading={composerCopy.voice.heading} problem={sayProblem("voice")}>
        <VoiceField
          draft={draft}
          hush={hush}
          onChange={change}
          onPick={() => setPicking(true)}
          onPreview={preview}
          picture={picture}
          sounding={sounding}
        />
      </Part>
      <Part heading={composerCopy.text.heading}>
        <TextField
          content={draft.content}
          field={field}
          limit={limitOf(allowance)}
          onContent={(content) => change({ content })}
          onLonger={isProfessional ? null : () => askToBuy()}
          problem={sayProblem("text") ?? undefined}
        />
      </Part>
      <Part heading={toneWords.heading} problem={sayProblem("tone")}>
        <TonePanel
          isProfessional={isProfessional}
          onChange={(next) => change({ tone: { ...draft.tone, ...next } })}
          onLocked={() => askToBuy()}
          reference={
            draft.emotionPath ? (
              <KeptRecording onReplace={() => change({ emotionPath: "" })} />
            ) : (
              <Suspense fallback={<Skeleton className="h-[188px]" />}>
                <ReferencePanel
                  onChange={(next) => change(toneChange(next))}
                  onPlay={hush}
                  value={toneReferences(draft)}
                />
              </Suspense>
            )
          }
          value={draft.tone}
        />
      </Part>
      <div className="stays-in-view -mx-4 -mb-4 rounded-b-card border-t border-line bg-surface px-4 pb-3 pt-3 md:-mx-6 md:-mb-6 md:px-6 md:pb-6">
        {result}
        <div className="flex flex-col gap-2 md:flex-row md:items-center md:gap-4">
          <Button aria-describedby="clone-cost" kind="primary" onClick={submit} pending={phase !== "idle"} size="large">
            {phase === "idle" ? composerCopy.go : phase === "sending" ? composerCopy.sending : composerCopy.going}
          </Button>
          <div>
            <CostLine cost={costOf(draft.content, allowance, account.isLogin)} onBuy={() => askToBuy()} />
            {draft.from === "reference" && <p className="text-xs text-muted">{composerCopy.voice.consent}</p>}
          </div>
        </div>
        {refusal && (
          <p className="mt-3 text-sm text-seal" role="alert">
            {sentenceFor(refusal)}
          </p>
        )}
      </div>
      <LiveRegion>{phase === "idle" ? "" : phase === "sending" ? composerCopy.sending : composerCopy.going}</LiveRegion>
      {isPicking && (
        <Suspense>
          <VoicePicker
            chosen={draft.voice?.roleId ?? null}
            isLoggedIn={account.isLogin}
            onChoose={(voice) => {
              change({ voice, from: "role" });
              setPicking(false);
            }}
            onClose={() => setPicking(false)}
            onLogIn={() => {
              setPicking(false);
              askToLogIn("asked");
            }}
            onPreview={preview}
            picture={picture}
            sounding={sounding}
          />
        </Suspense>
      )}
    </Card>
  );
}

/**
 * What follows a refusal besides its sentence at the button: code 1001 is a notice in the upstream's words, and the
 * membership dialog where its reason is known; other codes are no notices (section 7, "error toast suppressed").
 */
export function useRefused() {
  const navigate = useNavigate();
  return (refusal: Refusal) => {
    if (refusal.code === "entitlement") {
      notify({ kind: "error", text: sentenceFor(refusal) });
      if (entitlementReasonOf(refusal.data)) askToBuy();
      return;
    }
    rememberAction("to-clone");
    navigate(paths.loginExpiredFrom(paths.clone));
  };
}
