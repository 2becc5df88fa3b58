import { type LoaderFunctionArgs, redirect } from "@remix-run/node";
import type { MetaFunction } from "@remix-run/react";
import { verifyCopy, verifyPageCopy } from "~/copy/verify";
import { pageMeta } from "~/features/layout/page-meta";
import { paths } from "~/paths";
import { Button } from "~/ui/button";
import { Card } from "~/ui/card";
import { Icon } from "~/ui/icons/icon";
import { ProgressBar } from "~/ui/progress-bar";
import { LiveRegion } from "~/ui/visually-hidden";
import { AnswerCard } from "./answer-card";
import { FileDrop } from "./file-drop";
import { useVerification, type Verification } from "./use-verification";

export { RouteError as ErrorBoundary } from "~/features/layout/route-error";

export const meta: MetaFunction = ({ matches }) => pageMeta(verifyPageCopy, matches);

/** There is no such page where the upstream cannot verify. */
export async function loader({ context: { upstream } }: LoaderFunctionArgs) {
  const { missing } = await upstream.readOffer();
  if (missing.includes("verify")) throw redirect(paths.notFound);
  return null;
}

export default function Verify() {
  const { state, check, repeat, reset } = useVerification();
  return (
    <div className="mx-auto grid w-full max-w-[46rem] gap-6 px-4 py-10 md:px-6 md:py-16">
      <div>
        <h1 className="font-song text-2xl font-semibold md:text-3xl">{verifyPageCopy.heading}</h1>
        <p className="mt-3 text-muted">{verifyPageCopy.sentence}</p>
      </div>
      {state.phase === "empty" && <FileDrop onFile={check} />}
      {state.phase === "done" && <AnswerCard name={state.name} onAnother={reset} verified={state.verified} />}
      {state.phase === "failed" && <Failed onAnother={reset} onRepeat={repeat} state={state} />}
      {(state.phase === "reading" || state.phase === "sending" || state.phase === "comparing") && (
        <Running onStop={reset} state={state} />
      )}
      <p className="text-xs text-muted">{verifyPageCopy.privacy}</p>
      <LiveRegion>{saidOf(state)}</LiveRegion>
    </div>
  );
}

type Of<Phase extends Verification["phase"]> = Extract<Verification, { phase: Phase }>;
type Running = Of<"reading" | "comparing"> | Of<"sending">;

function Running({ state, onStop }: { state: Running; onStop(): void }) {
  return (
    <Card className="grid min-h-[200px] content-center gap-4 p-6">
      <p className="truncate font-semibold">{state.name}</p>
      <ProgressBar label={verifyCopy.progress} value={state.phase === "sending" ? state.share : null} />
      <div className="flex items-center justify-between gap-3">
        <span className="tabular text-sm text-muted">{stepOf(state)}</span>
        <Button kind="quiet" onClick={onStop}>
          {verifyCopy.stop}
        </Button>
      </div>
    </Card>
  );
}

interface FailedProps {
  state: Of<"failed">;
  onRepeat(): void;
  onAnother(): void;
}

function Failed({ state, onRepeat, onAnother }: FailedProps) {
  return (
    <Card className="grid min-h-[200px] content-center gap-4 p-6">
      <div role="alert">
        <p className="flex items-center gap-2 font-semibold">
          <Icon className="shrink-0 text-seal" name="alert" />
          {verifyCopy.failed}
        </p>
        <p className="mt-2 text-muted">{state.sentence}</p>
        <p className="mt-1 truncate text-xs text-muted">{state.name}</p>
      </div>
      <div className="flex flex-wrap gap-3">
        {state.mayRepeat && (
          <Button kind="primary" onClick={onRepeat}>
            {verifyCopy.again}
          </Button>
        )}
        <Button onClick={onAnother}>{verifyCopy.another}</Button>
      </div>
    </Card>
  );
}

function stepOf(state: Running): string {
  if (state.phase === "sending") return verifyCopy.sending(Math.floor(state.share * 100));
  return state.phase === "reading" ? verifyCopy.reading : verifyCopy.comparing;
}

/** Steps alone: a percentage read out at every piece would drown everything else; the answer gets the focus instead. */
const saidOf = ({ phase }: Verification) =>
  phase === "reading" || phase === "sending" ? verifyCopy.reading : phase === "comparing" ? verifyCopy.comparing : "";
