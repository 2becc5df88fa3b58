import type { Page } from "playwright/test";
import { parseMouthings, visemeAt } from "~/features/player/use-previews";
import { mouthShapes } from "~/features/portrait/mouth";

declare global {
  interface Window {
    heard?: HTMLAudioElement;
    seen?: Array<{ at: number; mouth: string | undefined }>;
  }
}

/** Before the page loads: keeps hold of the player's sound, and looks at the first drawn mouth after every frame. */
export const watchLips = (page: Page) =>
  page.addInitScript(() => {
    const Original = window.Audio;
    window.Audio = class extends Original {
      constructor(src?: string) {
        super(src);
        window.heard = this;
      }
    };
    window.seen = [];
    const look = () => {
      const mouth = document.querySelector<SVGElement>("[data-mouth]")?.dataset.mouth;
      if (window.heard && !window.heard.paused) window.seen?.push({ at: window.heard.currentTime * 1000, mouth });
    };
    const next = () => {
      // After the frame's own work, before it is a frame old.
      setTimeout(look);
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  });

/** What was seen, beside the timeline that came with the sound. */
export async function seenLips(page: Page, timelineUrl: string) {
  const seen = await page.evaluate(() => window.seen ?? []);
  const timeline: unknown = await (await page.request.get(timelineUrl)).json();
  const mouthings = parseMouthings(timeline);
  const wanted = (atMs: number) => mouthShapes[visemeAt(mouthings, atMs)];
  /** How far off the nearest moment is at which the timeline has the mouth that was seen. */
  const lagOf = (mouth: string | undefined, atMs: number) => {
    for (let ms = 0; ms <= 500; ms += 2) if (wanted(atMs - ms) === mouth || wanted(atMs + ms) === mouth) return ms;
    return 501;
  };
  return {
    mouths: new Set(seen.map(({ mouth }) => mouth)),
    frames: seen.length,
    mostMs: Math.max(...seen.map(({ at, mouth }) => lagOf(mouth, at))),
    /** How many of the frames are within so many milliseconds of the timeline, had they come so much later. */
    shareWithin: (limitMs: number, lateMs: number) =>
      seen.filter(({ at, mouth }) => lagOf(mouth, at + lateMs) <= limitMs).length / seen.length,
  };
}
