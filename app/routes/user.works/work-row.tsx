import { useEffect, useRef, useState } from "react";
import { sentenceFor } from "~/copy/errors";
import { formatMoment } from "~/copy/format";
import { worksCopy as words } from "~/copy/works";
import { usePlayer } from "~/features/player/provider";
import { Still } from "~/features/portrait/still";
import { useTheme } from "~/features/theme/theme";
import { paths } from "~/paths";
import { useHasCall } from "~/state/capabilities";
import { Button, buttonClass, ListenButton } from "~/ui/button";
import { ProgressBar } from "~/ui/feedback";
import { Icon, IconFrame } from "~/ui/icons/icon";
import type { Work } from "./filter";
import type { Works } from "./use-works";
import { filesOf, headingOf, summaryOf, titleOf, toTrack } from "./work";
import { WorkMenu } from "./work-menu";

interface WorkRowProps extends Pick<Works, "change" | "remove"> {
  work: Work;
  /** Of a running work, from 0 to 1. */
  progress: number;
}

/** A result with what it is, how it went and what can be done with it. */
export function WorkRow({ work, progress, change, remove }: WorkRowProps) {
  const [isWatched, setWatched] = useState(false);
  const title = titleOf(work);
  const isDone = work.status === 2 && work.voiceUrl !== "";
  return (
    <li className="card p-3 md:p-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Face work={work} />
        <div className="min-w-0 flex-1 basis-52">
          <h3 className="truncate font-semibold leading-6">{headingOf(work)}</h3>
          <p className="tabular text-xs text-muted">
            {`${summaryOf(work)} · `}
            <time className="whitespace-nowrap" dateTime={work.createdAt}>
              {formatMoment(work.createdAt)}
            </time>
          </p>
        </div>
        <div className="ml-auto flex flex-wrap items-center justify-end gap-1.5">
          {isDone && work.kind === "video" && (
            <ListenButton
              aria-expanded={isWatched}
              label={(isWatched ? words.close : words.watch)(title)}
              onClick={() => setWatched(!isWatched)}
              sound="silent"
            />
          )}
          {isDone && work.kind !== "video" && <Listen title={title} work={work} />}
          {isDone && <DownloadLink title={title} work={work} />}
          <NextStep change={change} work={work} />
          <WorkMenu isDone={isDone} remove={remove} title={title} work={work} />
        </div>
      </div>
      <State progress={progress} title={title} work={work} />
      {isWatched && <Film title={title} url={paths.media(work.voiceUrl)} />}
    </li>
  );
}

const Camera = ({ size }: { size: number }) => (
  <IconFrame size={size}>
    <path d="M3.500 6.500h11v11h-11zM14.500 11l6-3.500v9l-6-3.500" />
  </IconFrame>
);

/** The first speaker; a film has a camera at its corner. */
function Face({ work: { people, kind } }: { work: Work }) {
  const { colorMode } = useTheme();
  const [first] = people;
  const isVideo = kind === "video";
  return (
    <span className="relative h-10 w-10 shrink-0">
      <span className="grid h-full place-items-center overflow-hidden rounded-full bg-wash text-muted">
        {first?.roleId ? (
          <Still colorMode={colorMode} detail="face" human={first} />
        ) : isVideo ? (
          <Camera size={20} />
        ) : (
          <Icon name="mic" />
        )}
      </span>
      {isVideo && first?.roleId && (
        <span className="absolute -bottom-1 -right-1 rounded-full border border-line bg-surface p-0.5 text-ink">
          <Camera size={14} />
        </span>
      )}
    </span>
  );
}

function Listen({ work, title }: { work: Work; title: string }) {
  const player = usePlayer();
  const track = toTrack(work);
  const isLoaded = player.track?.url === track.url;
  const isPlaying = isLoaded && player.isPlaying;
  return (
    <ListenButton
      label={(isPlaying ? words.pause : words.play)(title)}
      onClick={() => (isPlaying ? player.toggle() : player.play(track))}
      sound={isLoaded && player.isLoading ? "loading" : isPlaying ? "playing" : "silent"}
    />
  );
}

function DownloadLink({ work, title }: { work: Work; title: string }) {
  const [file] = filesOf(work);
  return (
    file && (
      <a aria-label={words.downloadOf(title)} className={buttonClass()} download href={file.url}>
        <Icon name="download" size={18} />
        {words.download}
      </a>
    )
  );
}

/** What a work that is not done needs. */
function NextStep({ work, change }: Pick<WorkRowProps, "work" | "change">) {
  const [isPending, setPending] = useState(false);
  const can = { cancel: useHasCall("taskCancel"), retry: useHasCall("taskRetry") };
  const act = work.status === 1 ? "cancel" : "retry";
  if (work.status === 2 || !can[act]) return null;
  const press = async () => {
    setPending(true);
    await change(work, act);
    setPending(false);
  };
  return (
    <Button onClick={() => void press()} pending={isPending}>
      {words[act]}
    </Button>
  );
}

function State({ work, progress, title }: Pick<WorkRowProps, "work" | "progress"> & { title: string }) {
  const { status, queuePos, reason = "synthesis-failed" } = work;
  if (status === 3) return <p className="mt-2 text-sm text-seal">{sentenceFor({ code: reason })}</p>;
  if (status === 2) return null;
  return (
    <div className="mt-3 grid gap-1.5">
      <ProgressBar label={words.bar(title)} value={queuePos > 0 && progress === 0 ? null : progress} />
      <p className="tabular text-xs text-muted">
        {queuePos > 0 && progress === 0 ? words.queued(queuePos) : words.running(progress)}
      </p>
    </div>
  );
}

/** It and the site's player never sound at once. */
function Film({ url, title }: { url: string; title: string }) {
  const { isPlaying, stop } = usePlayer();
  const film = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    if (isPlaying) film.current?.pause();
  }, [isPlaying]);
  return (
    <video
      aria-label={title}
      autoPlay
      className="mx-auto mt-3 max-h-[60vh] max-w-full rounded bg-wash"
      controls
      onPlay={stop}
      playsInline
      preload="metadata"
      ref={film}
      src={url}
    >
      <track kind="captions" />
    </video>
  );
}
