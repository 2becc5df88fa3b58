import { Link, useNavigate } from "@remix-run/react";
import { Suspense, useEffect, useRef, useState } from "react";
import { sentenceFor } from "~/copy/errors";
import { trialCopy } from "~/copy/home";
import { noScriptCopy } from "~/copy/pages";
import { useAccount } from "~/features/account/provider";
import { askToBuy } from "~/features/checkout/buy-flag";
import { askToLogIn, rememberAction, takeAction } from "~/features/login/login-flag";
import { usePlayer } from "~/features/player/provider";
import { previewOf } from "~/features/player/use-previews";
import type { Human } from "~/features/portrait/human";
import { notify } from "~/features/toasts/notify";
import { paths } from "~/paths";
import { Button } from "~/ui/button";
import { Card } from "~/ui/card";
import { lazyPart } from "~/ui/lazy-part";
import { NoScript } from "~/ui/no-script";
import { useKeptFocus } from "~/ui/use-kept-focus";
import { LiveRegion } from "~/ui/visually-hidden";
import { entitlementReasonOf } from "~server/contract/codes";
import { trialMax } from "~server/contract/limits";
import { problemOf, wishOf, withFirstSample } from "./readiness";
import { said } from "./said";
import { TextStep } from "./text-step";
import { toTrack } from "./track";
import { useText } from "./use-text";
import { useVoice } from "./use-voice";
import { lastVoicePath, useWork, type Work } from "./use-work";
import { VoiceStep } from "./voice-step";

const WorkPanel = lazyPart(async () => ({ default: (await import("./work-panel")).WorkPanel }));

interface TrialCardProps {
  humans: readonly Human[];
  trialsUsed: number;
}

/** The home page's one job: a voice, a text, and hear it. */
export function TrialCard({ humans, trialsUsed }: TrialCardProps) {
  const player = usePlayer();
  const navigate = useNavigate();
  const { account } = useAccount();
  const { voice: restored, isRestored, setSource, setRole, setReference } = useVoice();
  const voice = withFirstSample(restored, humans);
  const [text, setText] = useText();
  const [counted, setCounted] = useState(trialsUsed);
  const [problem, setProblem] = useState<ReturnType<typeof problemOf>>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const { work, start } = useWork({
    onUploaded: (reference) => voice.source !== "sample" && setReference(voice.source, reference),
    onCounted: setCounted,
    onRefused: (refusal) => {
      notify({ kind: "error", text: sentenceFor(refusal) });
      const reason = refusal.code === "entitlement" ? entitlementReasonOf(refusal.data) : null;
      if (!reason) return;
      if (reason === "trial") setCounted(trialMax);
      if (account.isLogin) askToBuy();
      else askToLogIn("trials-used");
    },
    onLoginExpired: () => {
      // Pressed once is enough: it goes on by itself after the login.
      rememberAction("trials-used");
      navigate(paths.loginExpiredFrom(paths.trial));
    },
    onDone: (done) => player.play(toTrack(done)),
  });
  const panel = useInView(work.phase);
  const isMember = account.isVip || account.isSvip;
  const left = Math.max(0, trialMax - counted);
  const isUsedUp = !isMember && left === 0;
  const isWorking = work.phase === "sending" || work.phase === "running";
  const hush = () => player.isPlaying && player.toggle();

  const submit = () => {
    if (isUsedUp) return account.isLogin ? askToBuy() : askToLogIn("trials-used");
    const found = problemOf(voice, text);
    setProblem(found);
    if (found?.where === "text") field.current?.focus();
    if (found) return;
    void start(wishOf(voice, text, humans));
  };
  const save = () => {
    if (!account.isLogin) return askToLogIn("save-role");
    const voicePath = work.phase === "done" ? work.wanted.voicePath : lastVoicePath();
    navigate(paths.roleNew(voicePath ? { voicePath } : {}));
  };

  useAfterLogin(isRestored, { "trials-used": submit, "save-role": save });

  return (
    <Card
      aria-label={trialCopy.label}
      className="scroll-mt-20 px-3.5 pb-3.5 pt-1.5 shadow-card md:p-6 md:pt-3"
      id="trial"
      role="region"
    >
      <NoScript link={noScriptCopy.toSquare} sentence={noScriptCopy.clone} to={paths.square} />
      <VoiceStep
        humans={humans}
        onPlay={hush}
        onReference={(source, reference) => {
          setProblem(null);
          setReference(source, reference);
        }}
        onRole={(human) => {
          setProblem(null);
          setRole(human.roleId);
          if (human.voiceUrl) player.play(previewOf(human));
        }}
        onSource={(source) => {
          setProblem(null);
          setSource(source);
        }}
        problem={problem?.where === "voice" ? problem.sentence : null}
        voice={voice}
      />
      <TextStep
        field={field}
        onText={(next) => {
          setProblem(null);
          setText(next);
        }}
        problem={problem?.where === "text" ? problem.sentence : null}
        text={text}
      />
      <div className="stays-in-view -mx-3.5 flex flex-col gap-2 border-t border-dashed border-line bg-surface px-3.5 pb-2 pt-3 text-center md:mx-0 md:pb-0 md:flex-row md:items-center md:gap-4 md:px-0 md:text-left">
        <Button kind="primary" onClick={submit} pending={isWorking} size="large">
          {isWorking
            ? trialCopy.working
            : isUsedUp
              ? trialCopy.usedUp[account.isLogin ? "member" : "visitor"]
              : trialCopy.go}
        </Button>
        <p className="text-xs text-muted">
          <span className="tabular block text-ink">{isMember ? trialCopy.unlimited : trialCopy.left(left)}</span>
          {voice.source !== "sample" && `${trialCopy.consent} · `}
          <Link className="underline underline-offset-4 hover:text-ink" to={paths.service}>
            {trialCopy.terms}
          </Link>
        </p>
      </div>
      <LiveRegion>{said(work)}</LiveRegion>
      <div className="scroll-mb-[calc(var(--tabbar)+9rem)]" ref={panel}>
        {work.phase !== "idle" && (
          <Suspense fallback={<div className="mt-3.5 min-h-[168px] rounded bg-wash sm:min-h-[136px]" />}>
            <WorkPanel
              onAgain={() => field.current?.select()}
              onRetry={submit}
              onSave={work.phase === "done" && work.wanted.voicePath ? save : null}
              work={work}
            />
          </Suspense>
        )}
      </div>
    </Card>
  );
}

/** The press that led to the login goes on by itself, once what it needs is back. */
function useAfterLogin(isReady: boolean, actions: Record<string, () => void>) {
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  useEffect(() => {
    if (isReady) latest.current[takeAction() ?? ""]?.();
  }, [isReady]);
}

/** Brings what happens into view when it begins and when it ends, above the player. */
function useInView(phase: Work["phase"]) {
  const panel = useKeptFocus<HTMLDivElement>();
  useEffect(() => {
    if (phase === "idle") return;
    const isCalm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    panel.current?.scrollIntoView({ block: "nearest", behavior: isCalm ? "auto" : "smooth" });
  }, [phase, panel]);
  return panel;
}
