import { sentenceFor } from "~/copy/errors";
import { trialResultCopy as words } from "~/copy/home";
import { Button } from "~/ui/button";
import { Icon } from "~/ui/icons/icon";
import { ProgressBar } from "~/ui/progress-bar";
import type { TrialProgress } from "~server/bff/trials.server";
import { Result } from "./result";
import { wordOf } from "./said";
import type { Work } from "./use-work";

interface WorkPanelProps {
  work: Work;
  onRetry(): void;
  onAgain(): void;
  /** null where the voice is somebody's on the square already. */
  onSave: (() => void) | null;
}

/** What became of the press of the button; keeps its height from the first word to the result. */
export function WorkPanel({ work, onRetry, onAgain, onSave }: WorkPanelProps) {
  return (
    <div className="mt-3.5 grid min-h-[168px] grid-cols-[minmax(0,1fr)] content-center rounded bg-wash p-4 sm:min-h-[136px]">
      {work.phase === "sending" && <Progress value={null} word={words.sending} />}
      {work.phase === "running" && <Progress value={shareOf(work.progress)} word={wordOf(work.progress)} />}
      {work.phase === "done" && <Result onAgain={onAgain} onSave={onSave} work={work} />}
      {work.phase === "failed" && (
        <div className="grid gap-3">
          <p className="flex gap-2.5" role="alert">
            <Icon className="mt-0.5 shrink-0 text-seal" name="alert" />
            {sentenceFor(work.refusal)}
          </p>
          <div className="flex flex-wrap items-center gap-3">
            <Button onClick={onRetry}>
              <Icon name="retake" size={18} />
              {words.retry}
            </Button>
            <span className="text-xs text-muted">{words.inputsKept}</span>
          </div>
        </div>
      )}
    </div>
  );
}

function Progress({ value, word }: { value: number | null; word: string }) {
  return (
    <div className="grid gap-3">
      <p className="flex items-baseline justify-between gap-3">
        {word}
        {value !== null && <span className="tabular text-xs text-muted">{Math.round(value * 100)}%</span>}
      </p>
      <ProgressBar label={words.bar} value={value} />
    </div>
  );
}

const shareOf = (progress: TrialProgress | null) => (progress && progress.queuePos === 0 ? progress.progress : null);
