import type { Page } from "playwright/test";
import { mouthShapes, visemes } from "~server/portrait/pose";
import { parseSpokenTimeline } from "~server/portrait/spoken-timeline";

declare global {
  interface Window {
    seen?: Array<{ at: number; mouth: string | undefined; head: string | null | undefined }>;
  }
}

/** Runs before the page loads: records the first drawn mouth after every frame in which a sound plays. */
export const watchLips = (page: Page) =>
  page.addInitScript(() => {
    const sounds: HTMLAudioElement[] = [];
    const Original = window.Audio;
    window.Audio = class extends Original {
      constructor(src?: string) {
        super(src);
        sounds.push(this);
      }
    };
    window.seen = [];
    const look = () => {
      const mouth = document.querySelector<SVGElement>("[data-mouth]")?.dataset.mouth;
      const head = document.querySelector("[data-part=head]")?.getAttribute("transform");
      const heard = sounds.find(({ paused }) => !paused);
      if (heard) window.seen?.push({ at: heard.currentTime * 1000, mouth, head });
    };
    const next = () => {
      // After the frame's callbacks, before the next frame.
      setTimeout(look);
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  });

/** Compares the recorded mouths with the timeline of the sound. */
export async function seenLips(page: Page, timelineUrl: string) {
  const seen = await page.evaluate(() => window.seen ?? []);
  const timeline: unknown = await (await page.request.get(timelineUrl)).json();
  const phonemes = parseSpokenTimeline(timeline)?.phonemes ?? [];
  const visemeAt = (atMs: number) => phonemes.find(({ start, end }) => start <= atMs && atMs < end)?.viseme;
  const wanted = (atMs: number) => mouthShapes[visemes.find((name) => name === visemeAt(atMs)) ?? "sil"];
  /** Distance in ms to the nearest time at which the timeline has the recorded mouth. */
  const lagOf = (mouth: string | undefined, atMs: number) => {
    for (let ms = 0; ms <= 500; ms += 2) if (wanted(atMs - ms) === mouth || wanted(atMs + ms) === mouth) return ms;
    return 501;
  };
  return {
    mouths: new Set(seen.map(({ mouth }) => mouth)),
    frames: seen.length,
    mostMs: Math.max(...seen.map(({ at, mouth }) => lagOf(mouth, at))),
    /** Share of frames within `toleranceMs` of the timeline, shifted by `delayMs`. */
    shareWithin: (toleranceMs: number, delayMs: number) =>
      seen.filter(({ at, mouth }) => lagOf(mouth, at + delayMs) <= toleranceMs).length / seen.length,
  };
}
