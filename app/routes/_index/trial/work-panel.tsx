import { sentenceFor } from "~/copy/errors";
import { work as words } from "~/copy/trial";
import { Button } from "~/ui/button";
import { Icon } from "~/ui/icons/icon";
import { ProgressBar } from "~/ui/progress-bar";
import { LiveRegion } from "~/ui/visually-hidden";
import { Result } from "./result";
import type { TrialProgress } from "./trial-client";
import type { Work } from "./use-work";

interface WorkPanelProps {
  work: Work;
  onRetry(): void;
  onAgain(): void;
  onSave(): void;
}

/** What became of the press of the button; keeps its height from the first word to the result. */
export function WorkPanel({ work, onRetry, onAgain, onSave }: WorkPanelProps) {
  return (
    <>
      <LiveRegion>{said(work)}</LiveRegion>
      {work.phase !== "idle" && (
        <div className="mt-3.5 min-h-[136px] rounded bg-wash p-4 sm:min-h-[124px]">
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
                <span className="text-xs text-muted">{words.kept}</span>
              </div>
            </div>
          )}
        </div>
      )}
    </>
  );
}

function Progress({ value, word }: { value: number | null; word: string }) {
  return (
    <div className="grid gap-3 pt-2">
      <p className="flex items-baseline justify-between gap-3">
        {word}
        {value !== null && <span className="tabular text-xs text-muted">{Math.round(value * 100)}%</span>}
      </p>
      <ProgressBar label={words.bar} value={value} />
    </div>
  );
}

const shareOf = (progress: TrialProgress | null) => (progress && progress.queuePos === 0 ? progress.progress : null);

function wordOf(progress: TrialProgress | null): string {
  if (!progress) return words.starting;
  if (progress.queuePos > 0) return words.queued(progress.queuePos);
  return progress.segTotal === 0 ? words.learning : words.speaking(progress.segDone, progress.segTotal);
}

function said(work: Work): string {
  if (work.phase === "sending") return words.sending;
  if (work.phase === "running") return wordOf(work.progress);
  return work.phase === "done" ? words.done : "";
}
