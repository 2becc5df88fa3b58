import { useEffect, useRef, useState } from "react";
import { sentenceFor } from "~/copy/errors";
import { formatClock } from "~/copy/format";
import { resultCopy } from "~/copy/generation";
import { trialResultCopy as words } from "~/copy/home";
import { sayCopy } from "~/copy/share";
import { siteCopy } from "~/copy/site";
import { usePlayer } from "~/features/player/provider";
import { usePreviews } from "~/features/player/use-previews";
import { ShareButton } from "~/features/share/share-button";
import { Captions } from "~/features/tasks/say";
import type { TrialStep } from "~/features/tasks/trial-call";
import { Badge, Button, buttonClass, ListenButton } from "~/ui/button";
import { ProgressBar } from "~/ui/feedback";
import { Icon } from "~/ui/icons/icon";
import { progressText, toTrack } from "./run-trial";
import type { FinishedTrial, TrialState } from "./trial-state";

interface TrialResultProps {
  trial: TrialState;
  onRetry(): void;
  onAgain(): void;
  /** null if the trial used a public voice. */
  onSave: (() => void) | null;
  /** The visitor's recording that the voice was learned from. */
  original: Blob | null;
}

/** The trial's progress, result or failure; its height stays the same. */
export function TrialResult({ trial, onRetry, onAgain, onSave, original }: TrialResultProps) {
  return (
    <div className="mt-3.5 grid min-h-[168px] grid-cols-[minmax(0,1fr)] content-center rounded bg-wash p-4 sm:min-h-[136px]">
      {trial.phase === "uploading" && <Progress text={words.sending} value={null} />}
      {trial.phase === "running" && <Progress text={progressText(trial.progress)} value={shareOf(trial.progress)} />}
      {trial.phase === "done" && <Result onAgain={onAgain} onSave={onSave} original={original} trial={trial} />}
      {trial.phase === "failed" && (
        <div className="grid gap-3">
          <p className="flex gap-2.5" role="alert">
            <Icon className="mt-0.5 shrink-0 text-seal" name="alert" />
            <span>{sentenceFor(trial.refusal)}</span>
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

function Progress({ value, text }: { value: number | null; text: string }) {
  return (
    <div className="grid gap-3">
      <p className="flex items-baseline justify-between gap-3">
        <span>{text}</span>
        {value !== null && <span className="tabular text-xs text-muted">{`${Math.round(value * 100)}%`}</span>}
      </p>
      <ProgressBar label={words.bar} value={value} />
    </div>
  );
}

const shareOf = (progress: TrialStep | null) => (progress && progress.queuePos === 0 ? progress.progress : null);

/** Stands for a trial whose upstream returns no id; see server/bff/trials.server.ts. */
const unnamedTaskId = "newest";

type ResultProps = Pick<TrialResultProps, "onAgain" | "onSave" | "original"> & { trial: FinishedTrial };

function Result({ trial, onAgain, onSave, original }: ResultProps) {
  const { request, result } = trial;
  const player = usePlayer();
  const track = toTrack(trial);
  const isLoaded = player.track?.url === track.url;
  const isPlaying = isLoaded && player.isPlaying;
  const listen = () => (isPlaying ? player.toggle() : player.play(track));
  const { stateOf } = usePreviews();
  const { speech } = stateOf({ name: request.voiceName, describe: request.content, ...result });

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex items-center gap-3">
        <ListenButton
          label={isPlaying ? words.pause : words.play}
          onClick={listen}
          size="large"
          sound={isPlaying ? "playing" : "silent"}
        />
        <div className="min-w-0 flex-1">
          <p className="flex items-center gap-2">
            <span className="truncate font-song text-lg font-semibold" translate="no">
              {request.voiceName}
            </span>
            <Badge>{siteCopy.aiBadge}</Badge>
          </p>
        </div>
        <span className="tabular text-xs text-muted">
          {result.durationMs > 0 && formatClock(result.durationMs / 1000)}
        </span>
      </div>
      <Captions speech={speech} text={request.content} />
      {original && <Compare isClonePlaying={isPlaying} onClone={listen} original={original} />}
      <div className="flex flex-wrap gap-2">
        {track.downloads.slice(0, 2).map(({ format, url }) => (
          <a className={buttonClass()} download href={url} key={format}>
            <Icon name="download" size={18} />
            {words.download(format.toUpperCase())}
          </a>
        ))}
        <Button kind="quiet" onClick={onAgain}>
          {words.again}
        </Button>
        {result.taskId !== unnamedTaskId && (
          <ShareButton className={buttonClass()} id={result.taskId} kind="trial">
            {resultCopy.share}
          </ShareButton>
        )}
        {onSave && (
          <Button kind="quiet" onClick={onSave}>
            {words.save}
          </Button>
        )}
      </div>
    </div>
  );
}

interface CompareProps {
  original: Blob;
  isClonePlaying: boolean;
  onClone(): void;
}

/** The recording and the voice learned from it, side by side; one of them plays at a time. */
function Compare({ original, isClonePlaying, onClone }: CompareProps) {
  const audio = useRef<HTMLAudioElement | null>(null);
  const [isPlaying, setPlaying] = useState(false);
  useEffect(() => {
    const address = URL.createObjectURL(original);
    const element = new Audio(address);
    for (const event of ["play", "pause"]) element.addEventListener(event, () => setPlaying(!element.paused));
    audio.current = element;
    return () => {
      element.pause();
      URL.revokeObjectURL(address);
    };
  }, [original]);
  useEffect(() => {
    if (isClonePlaying) audio.current?.pause();
  }, [isClonePlaying]);
  const playOriginal = () => {
    if (isPlaying) return audio.current?.pause();
    if (isClonePlaying) onClone();
    void audio.current?.play().catch(() => setPlaying(false));
  };
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button aria-pressed={isPlaying} onClick={playOriginal}>
        <Icon name={isPlaying ? "pause" : "play"} size={18} />
        {sayCopy.original}
      </Button>
      <Button aria-pressed={isClonePlaying} onClick={onClone}>
        <Icon name={isClonePlaying ? "pause" : "play"} size={18} />
        {sayCopy.cloned}
      </Button>
      <span className="text-xs text-muted">{sayCopy.compare}</span>
    </div>
  );
}
