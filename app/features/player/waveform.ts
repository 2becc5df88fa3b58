import { type RefObject, useEffect, useRef, useState } from "react";
import WaveSurfer from "wavesurfer.js";
import HoverPlugin from "wavesurfer.js/plugins/hover";
import TimelinePlugin from "wavesurfer.js/plugins/timeline";
import { formatClock } from "~/copy/format";
import { toLevels } from "./level-ring";
import { levelsPerSecond, resume, usePlayerStage } from "./provider";

const rulerStepSeconds = 0.2;

/** Keeps the ruler's steps apart: longer audio scrolls along instead of shrinking. */
const minPxPerSecond = 20;

/** Below this many pixels a second the whole seconds have no room for their labels. */
const roomyPxPerSecond = 36;

interface Loaded {
  durationSeconds: number;
  levels: number[];
}

export interface Waveform {
  /** Resolves with what the audio is like once it can play, or with null when a later load took over. Rejects when it can't be played. */
  load(url: string): Promise<Loaded | null>;
  /** Gives up what is loaded or loading. */
  clear(): void;
  destroy(): void;
}

/** Draws `media` into `container` and follows the theme. `onBroken` runs on a fault after a load, such as damaged audio. */
export function createWaveform(container: HTMLElement, media: HTMLAudioElement, onBroken: () => void): Waveform {
  const wave = WaveSurfer.create({
    container,
    media,
    height: 50,
    barWidth: 2,
    barGap: 1,
    barRadius: 1,
    normalize: true,
    cursorWidth: 1,
    hideScrollbar: true,
    minPxPerSec: minPxPerSecond,
    cspNonce: pageNonce(),
    ...readWaveColors(),
    plugins: [createRuler(() => wave.getWidth() / wave.getDuration()), createHover()],
  });
  const stopWatching = watchTheme(() => wave.setOptions(readWaveColors()));
  const stopListening = wave.on("error", onBroken);
  return {
    load: (url) => loadInto(wave, url),
    clear() {
      wave.empty();
      media.removeAttribute("src");
      media.load();
    },
    destroy() {
      stopWatching();
      stopListening();
      wave.destroy();
    },
  };
}

async function loadInto(wave: WaveSurfer, url: string): Promise<Loaded | null> {
  // what the element can't play never settles load(), it only reports an error
  const refused = new Promise<never>((_, reject) => wave.once("error", reject));
  try {
    await Promise.race([wave.load(url), refused]);
    const durationSeconds = wave.getDuration();
    const maxLength = Math.ceil(durationSeconds * levelsPerSecond);
    const [peaks = []] = maxLength > 0 ? wave.exportPeaks({ channels: 1, maxLength }) : [];
    return { durationSeconds, levels: toLevels(peaks) };
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") return null;
    throw error;
  }
}

function createRuler(pxPerSecond: () => number) {
  const label = (seconds: number) =>
    pxPerSecond() >= roomyPxPerSecond || Math.round(seconds) % 5 === 0 ? `${Math.round(seconds)}s` : "";
  return TimelinePlugin.create({
    height: 16,
    timeInterval: rulerStepSeconds,
    primaryLabelInterval: 5,
    secondaryLabelInterval: 1,
    secondaryLabelOpacity: 1,
    formatTimeCallback: label,
    style: { color: "var(--muted)", fontSize: "11px" },
  });
}

function createHover() {
  return HoverPlugin.create({
    lineColor: "var(--muted)",
    labelBackground: "var(--ink)",
    labelColor: "var(--paper)",
    labelSize: 11,
    formatTimeCallback: formatClock,
  });
}

/** The document's style nonce: readable as a property only, and the same for every script of the page. */
function pageNonce(): string | undefined {
  return document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce || undefined;
}

const tokens = { waveColor: "--edge", progressColor: "--seal", cursorColor: "--seal" } as const;

/** Canvas knows no CSS variables, so the tokens are read off the document. */
export function readWaveColors(): Record<keyof typeof tokens, string> {
  const style = getComputedStyle(document.documentElement);
  const read = (token: string) => style.getPropertyValue(token).trim();
  return {
    waveColor: read(tokens.waveColor),
    progressColor: read(tokens.progressColor),
    cursorColor: read(tokens.cursorColor),
  };
}

/** Calls back whenever the theme changes, by the switch or by the system. Returns how to stop. */
export function watchTheme(changed: () => void): () => void {
  const switched = new MutationObserver(changed);
  switched.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  const system = matchMedia("(prefers-color-scheme: dark)");
  system.addEventListener("change", changed);
  return () => {
    switched.disconnect();
    system.removeEventListener("change", changed);
  };
}

/** Keeps the waveform in `container` in step with the player: loads each track asked for and plays it once ready. */
export function useWaveform(container: RefObject<HTMLElement>): void {
  const { state, dispatch, media, onError } = usePlayerStage();
  const { track, attempt } = state;
  const url = track?.url;
  const [waveform, setWaveform] = useState<Waveform | null>(null);
  const fail = useLatest((failed: number) => {
    if (failed !== state.attempt || !(state.isLoading || state.isShown)) return;
    dispatch({ type: "failed", attempt: failed });
    onError?.();
  });
  const broken = useLatest(() => {
    // while loading, load() itself tells
    if (!state.isLoading) fail.current(state.attempt);
  });
  useEffect(() => {
    if (!container.current || !media) return;
    const created = createWaveform(container.current, media, () => broken.current());
    setWaveform(created);
    return () => created.destroy();
  }, [container, media, broken]);
  useEffect(() => {
    if (!waveform || !media) return;
    if (!url) return waveform.clear();
    let isStale = false;
    waveform.load(url).then(
      (loaded) => {
        if (!loaded || isStale) return;
        resume(media);
        dispatch({ type: "ready", attempt, ...loaded, isPlaying: !media.paused });
      },
      () => {
        if (!isStale) fail.current(attempt);
      },
    );
    return () => {
      isStale = true;
    };
  }, [waveform, media, url, attempt, dispatch, fail]);
}

function useLatest<Value>(value: Value): RefObject<Value> & { current: Value } {
  const ref = useRef(value);
  useEffect(() => {
    ref.current = value;
  });
  return ref;
}
