import WaveSurfer from "wavesurfer.js";
import HoverPlugin from "wavesurfer.js/plugins/hover";
import TimelinePlugin from "wavesurfer.js/plugins/timeline";
import { formatClock } from "~/copy/format";
import { levelsPerSecond, toLevels } from "./levels";
import { readWaveColors, watchTheme } from "./wave-colors";

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

/** Draws `media` into `container` and follows the theme. `onBroken` hears of faults after a load, such as damaged audio. */
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
    secondaryLabelOpacity: 0.6,
    formatTimeCallback: label,
    style: { color: "var(--muted)", fontSize: "10px" },
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
