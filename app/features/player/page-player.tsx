import { type ReactNode, useEffect, useMemo, useState } from "react";
import { formatClock } from "~/copy/format";
import { playerCopy, siteCopy } from "~/copy/site";
import { Badge, ListenButton } from "~/ui/button";
import { WaveformBars } from "~/ui/icons/icon";
import type { Speech } from "~server/portrait/spoken-timeline";
import { toLevels } from "./level-ring";
import { levelsPerSecond, resume, usePlayer, usePlayerStage } from "./provider";
import { useTimeline } from "./use-previews";

/** A sound of this site that a page shows. */
interface PageSound {
  url: string;
  timelineUrl?: string | undefined;
}

const resting = { isPlaying: false, isWaiting: false, wasPlayed: false, positionSeconds: 0, durationSeconds: 0 };

/** The player that stands in a page: it closes the site's own, and pauses when that one plays again. */
export function usePagePlayer({ url, timelineUrl }: PageSound) {
  const { isPlaying: isSitePlaying, stop } = usePlayer();
  const { onError } = usePlayerStage();
  const [media, setMedia] = useState<HTMLAudioElement | null>(null);
  const [state, setState] = useState(resting);
  useEffect(() => {
    const audio = new Audio();
    const gone = new AbortController();
    const on = (target: EventTarget, event: string, act: () => void, options = {}) =>
      target.addEventListener(event, act, { signal: gone.signal, ...options });
    audio.preload = "metadata";
    for (const moment of moments) on(audio, moment, () => setState(stateOf(audio)));
    on(audio, "error", () => onError?.());
    on(audio, "play", stop);
    // Phones let only an element touched by a tap make sound later, when a sentence has been made.
    on(document, "click", () => audio.paused && audio.load(), { capture: true, once: true });
    setMedia(audio);
    return () => {
      gone.abort();
      audio.pause();
    };
  }, [onError, stop]);
  useEffect(() => {
    if (media) load(media, url);
  }, [media, url]);
  useEffect(() => {
    if (isSitePlaying) media?.pause();
  }, [isSitePlaying, media]);
  const { isPlaying, wasPlayed } = state;
  const levels = useLevels(url);
  const timeline = useTimeline(wasPlayed ? timelineUrl : undefined);
  const speech = useMemo((): Speech | undefined => {
    if (!media || !isPlaying || (timelineUrl && timeline === undefined)) return undefined;
    const seconds = () => (media.seeking ? null : media.currentTime);
    return { id: url, timeline: timeline ?? null, loudness: { perSecond: levelsPerSecond, levels }, seconds };
  }, [media, isPlaying, url, timelineUrl, timeline, levels]);
  return {
    ...{ ...state, url, levels, speech },
    toggle: () => media && (media.paused ? resume(media) : media.pause()),
    seek: (seconds: number) => media && Object.assign(media, { currentTime: seconds }),
    /** Plays another sound in this one's place, or this one from its beginning. */
    playInstead(next: PageSound) {
      if (!media) return;
      load(media, next.url);
      media.currentTime = 0;
      resume(media);
    },
  };
}

const moments = ["play", "pause", "timeupdate", "durationchange", "seeked", "waiting", "playing", "ended"];

const stateOf = ({ paused, ended, played, readyState, currentTime, duration }: HTMLAudioElement): typeof resting => ({
  isPlaying: !paused && !ended,
  wasPlayed: !paused || played.length > 0,
  isWaiting: readyState < HTMLMediaElement.HAVE_FUTURE_DATA,
  positionSeconds: ended ? 0 : currentTime,
  durationSeconds: Number.isFinite(duration) ? duration : 0,
});

function load(media: HTMLAudioElement, url: string) {
  const address = new URL(url, window.location.href).href;
  if (media.src !== address) media.src = address;
}

/** A longer sound gets no waveform: it would be read whole for it. */
const drawnMaxBytes = 4_000_000;
/** Hz; enough for the loudness. */
const drawnRate = 8000;

const unknown: readonly number[] = [];

/** Loudness over time; empty until it is known. */
function useLevels(url: string): readonly number[] {
  const [found, setFound] = useState({ url, levels: unknown });
  useEffect(() => {
    const gone = new AbortController();
    const show = (levels: readonly number[]) => gone.signal.aborted || setFound({ url, levels });
    readLevels(url, gone.signal).then(show, () => {});
    return () => gone.abort();
  }, [url]);
  return found.url === url ? found.levels : unknown;
}

async function readLevels(url: string, signal: AbortSignal): Promise<number[]> {
  const response = await fetch(url, { signal });
  if (!response.ok || Number(response.headers.get("content-length")) > drawnMaxBytes) {
    await response.body?.cancel();
    return [];
  }
  const bytes = await response.arrayBuffer();
  const sound = await new OfflineAudioContext(1, 1, drawnRate).decodeAudioData(bytes);
  const samples = sound.getChannelData(0);
  const step = drawnRate / levelsPerSecond;
  const peaks = Array.from({ length: Math.ceil(samples.length / step) }, (_, i) =>
    samples.subarray(i * step, (i + 1) * step).reduce((most, sample) => Math.max(most, Math.abs(sample)), 0),
  );
  return toLevels(peaks);
}

interface PagePlayerProps {
  player: ReturnType<typeof usePagePlayer>;
  /** Names the sound. */
  label: string;
  /** Stands below the waveform. */
  children?: ReactNode;
}

/** Play button, waveform and time in a frame; without scripts the frame holds the browser's own control. */
export function PagePlayer({ player, label, children }: PagePlayerProps) {
  const { url, isPlaying, isWaiting, positionSeconds, durationSeconds, levels } = player;
  const position = Math.min(positionSeconds, durationSeconds);
  const [at, end] = [formatClock(position), formatClock(durationSeconds)];
  return (
    <section aria-label={label} className="grid gap-1 rounded-card border border-line bg-wash p-3">
      <div className="needs-scripts flex items-center gap-3">
        <ListenButton
          className="bg-surface"
          label={isPlaying ? playerCopy.pause : playerCopy.play}
          onClick={player.toggle}
          size="large"
          sound={isPlaying ? (isWaiting ? "loading" : "playing") : "silent"}
        />
        <div className="relative h-12 min-w-0 flex-1 rounded has-[:focus-visible]:outline has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-seal">
          <Bars levels={levels} played={durationSeconds > 0 ? position / durationSeconds : 0} />
          <input
            aria-label={playerCopy.position}
            aria-valuetext={playerCopy.positionText(at, end)}
            className="absolute inset-0 h-full w-full cursor-pointer opacity-0"
            max={durationSeconds || 1}
            min={0}
            onChange={(event) => player.seek(Number(event.target.value))}
            step="any"
            type="range"
            value={position}
          />
        </div>
      </div>
      <noscript>
        {/* biome-ignore lint/a11y/useMediaCaption: the page shows the words */}
        <audio aria-label={label} className="w-full" controls preload="metadata" src={url} />
      </noscript>
      <p className="flex items-center justify-between gap-3">
        <span className="needs-scripts tabular text-xs text-muted">{`${at} / ${end}`}</span>
        <Badge>{siteCopy.aiBadge}</Badge>
      </p>
      {children}
    </section>
  );
}

const barCount = 64;

/** The waveform, what has sounded in the colour of sound; a row of dots until the loudness is known. */
function Bars({ levels, played }: { levels: readonly number[]; played: number }) {
  const heights = useMemo(
    () =>
      Array.from({ length: barCount }, (_, bar) => {
        const [from, to] = [(bar * levels.length) / barCount, ((bar + 1) * levels.length) / barCount];
        return Math.max(0, ...levels.slice(Math.floor(from), Math.ceil(to)));
      }),
    [levels],
  );
  const bright = heights.map((_, bar) => bar < Math.round(played * barCount));
  return <WaveformBars bright={bright} className="!h-12 w-full text-edge" heights={heights} />;
}
