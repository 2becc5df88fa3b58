import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
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
  /** Seconds, where they are known before the sound has loaded. */
  durationSeconds?: number;
}

interface PagePlayerState {
  url: string;
  isPlaying: boolean;
  isWaiting: boolean;
  positionSeconds: number;
  durationSeconds: number;
  levels: readonly number[] | null;
  /** What moves the portrait beside the player; undefined while nothing sounds. */
  speech: Speech | undefined;
  toggle(): void;
  seek(seconds: number): void;
  /** Plays another sound in this player's place, or this one from its beginning. */
  playInstead(sound: PageSound): void;
}

const resting = { isPlaying: false, isWaiting: false, positionSeconds: 0, durationSeconds: 0 };

/** The player that stands in a page. The site's own player pauses while it sounds, and the other way round. */
export function usePagePlayer({ url, timelineUrl, durationSeconds = 0 }: PageSound): PagePlayerState {
  const site = usePlayer();
  const { onError } = usePlayerStage();
  const [media, setMedia] = useState<HTMLAudioElement | null>(null);
  const [state, setState] = useState(resting);
  const [wasPlayed, setPlayed] = useState(false);
  const latest = useRef({ site, onError });
  useEffect(() => {
    latest.current = { site, onError };
  });
  useEffect(() => {
    const audio = new Audio();
    const follow = () => setState(stateOf(audio));
    const begin = () => {
      setPlayed(true);
      if (latest.current.site.isPlaying) latest.current.site.toggle();
    };
    const fail = () => latest.current.onError?.();
    // Phones let only an element touched by a tap make sound later, when a sentence has been made.
    const touch = () => audio.paused && audio.load();
    audio.preload = "metadata";
    audio.addEventListener("play", begin);
    audio.addEventListener("error", fail);
    for (const moment of moments) audio.addEventListener(moment, follow);
    document.addEventListener("click", touch, { capture: true, once: true });
    setMedia(audio);
    return () => {
      document.removeEventListener("click", touch, { capture: true });
      for (const moment of moments) audio.removeEventListener(moment, follow);
      audio.removeEventListener("error", fail);
      audio.pause();
    };
  }, []);
  useEffect(() => {
    if (media) load(media, url);
  }, [media, url]);
  useEffect(() => {
    if (site.isPlaying) media?.pause();
  }, [site.isPlaying, media]);
  const levels = useLevels(url);
  const timeline = useTimeline(wasPlayed ? timelineUrl : undefined);
  const { isPlaying } = state;
  const speech = useMemo(() => {
    if (!media || !isPlaying || (timelineUrl && timeline === undefined)) return undefined;
    const seconds = () => (media.seeking ? null : media.currentTime);
    const loudness = levels ? { perSecond: levelsPerSecond, levels } : undefined;
    return { id: url, timeline: timeline ?? null, loudness, seconds };
  }, [media, isPlaying, url, timelineUrl, timeline, levels]);
  return {
    ...state,
    ...{ url, levels, speech },
    durationSeconds: state.durationSeconds || durationSeconds,
    toggle: () => media && (media.paused ? resume(media) : media.pause()),
    seek(seconds) {
      if (media) media.currentTime = seconds;
    },
    playInstead: useCallback(
      (next) => {
        if (!media) return;
        load(media, next.url);
        media.currentTime = 0;
        resume(media);
      },
      [media],
    ),
  };
}

const moments = ["play", "pause", "timeupdate", "durationchange", "seeked", "waiting", "playing", "ended"] as const;

const stateOf = ({ paused, ended, readyState, currentTime, duration }: HTMLAudioElement) => ({
  isPlaying: !paused && !ended,
  isWaiting: !paused && readyState < HTMLMediaElement.HAVE_FUTURE_DATA,
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

/** Loudness over time; null until it is known. */
function useLevels(url: string): readonly number[] | null {
  const [found, setFound] = useState<{ url: string; levels: number[] }>();
  useEffect(() => {
    const gone = new AbortController();
    readLevels(url, gone.signal).then(
      (levels) => gone.signal.aborted || setFound({ url, levels }),
      () => {},
    );
    return () => gone.abort();
  }, [url]);
  return found?.url === url ? found.levels : null;
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
  player: PagePlayerState;
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
          <Bars levels={levels ?? []} played={durationSeconds > 0 ? position / durationSeconds : 0} />
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
