/** Lips of every seeded preview beside its timeline, and what a frame costs. */

import { chromium } from "playwright";
import sharp from "sharp";
import { paths } from "~/paths";
import { createPersonDrawing } from "../../server/portrait/drawing";
import { createMotion, type Motion } from "../../server/portrait/motion";
import { poseParts } from "../../server/portrait/moving-parts";
import { parsePortrait } from "../../server/portrait/parameters";
import { createPhotoWarp } from "../../server/portrait/photo-warp";
import { parseSpokenTimeline, type SpokenTimeline } from "../../server/portrait/spoken-timeline";
import { prepareText } from "../../server/speech/chinese/prepare";
import { createEmbeddedEngine, type EmbeddedEngine } from "../../server/speech/engines/embedded/engine";
import { humans } from "../../server/upstream/db/seed/seed";
import { measureLips } from "../support/lip-check";
import { foundFaces, readPortrait } from "../support/portraits";
import { startProduct } from "../support/product";
import { measureFrames } from "./browser-tasks";
import type { Row } from "./row";

const never = new AbortController().signal;
const lateSeconds = 0.25;
const framesMeasured = 2000;

/** Timelines of a streamed text, each chunk moved behind those before it. */
async function timelineOf(
  engine: EmbeddedEngine,
  { preview, design }: (typeof humans)[number],
): Promise<SpokenTimeline> {
  const phonemes: { start: number; end: number; viseme: string }[] = [];
  let startMs = 0;
  for await (const chunk of engine.synthesize(
    { text: prepareText(preview), voice: engine.design(design), speed: 1 },
    never,
  )) {
    for (const { start, end, viseme } of chunk.timeline?.phonemes ?? [])
      phonemes.push({ start: startMs + start, end: startMs + end, viseme });
    startMs += (1000 * chunk.pcm.length) / chunk.sampleRate;
  }
  const timeline = parseSpokenTimeline({ durationMs: startMs, phonemes });
  if (!timeline) throw new Error(`no timeline for ${preview}`);
  return timeline;
}

/** Microseconds of processor time per call, over frames of a speaking face. */
function microsecondsOf(frame: (seconds: number) => unknown): number {
  for (let index = 0; index < framesMeasured; index++) frame(index / 60);
  const before = process.cpuUsage();
  for (let index = 0; index < framesMeasured; index++) frame(index / 60);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / framesMeasured;
}

const photoWidthPx = 440;

/** What a frame of a speaking photo costs. */
async function benchPhotos(motion: Motion): Promise<Row[]> {
  // As wide as pages draw it.
  const image = sharp(await readPortrait("hopper")).resize(photoWidthPx);
  const { data, info } = await image.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const warp = createPhotoWarp({ width: info.width, height: info.height, data }, foundFaces.hopper);
  return [
    {
      name: "a frame of a speaking photo, mouth and lids",
      value: microsecondsOf((at) => warp(motion(at % 4))),
      unit: "µs",
      reference: "≤ 4,000",
    },
  ];
}

const slowdown = 4;
const frameMs = 4000;

/** Cost of a frame in Chromium at a quarter of the speed: a page of a role that breathes, and one that speaks. */
async function benchBrowser(): Promise<Row[]> {
  const product = await startProduct();
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium" });
  try {
    const page = await browser.newPage({ baseURL: product.url, viewport: { width: 1280, height: 800 } });
    await page.goto(paths.verify, { waitUntil: "networkidle" });
    await page.evaluate(() => {
      const next = () => requestAnimationFrame(next);
      next();
    });
    const wait = () => page.waitForTimeout(frameMs);
    const empty = await measureFrames(page, slowdown, wait);
    const audio = page.locator("audio");
    const live = page.locator(".live-portrait");
    // The previews of a new installation are spoken first.
    for (let tries = 0; tries < 60 && !(await audio.isVisible()); tries++) {
      if (tries > 0) await page.waitForTimeout(2000);
      await page.goto(paths.person(humans[0]?.id ?? ""), { waitUntil: "networkidle" });
    }
    await live.waitFor();
    const idle = await measureFrames(page, slowdown, wait);
    await audio.evaluate((element: HTMLAudioElement) => {
      element.loop = true;
      return element.play();
    });
    const speaking = await measureFrames(page, slowdown, wait);
    const named = (name: string, value: number, reference?: string): Row => ({
      ...{ name: `${name}, in Chromium at ${slowdown} ×`, value, unit: "ms" },
      ...(reference && { reference }),
    });
    return [
      named("baseline: a frame of a page at rest", empty),
      named("a frame of a breathing person", idle, "≤ 4"),
      named("a frame of a speaking person", speaking, "≤ 4"),
    ];
  } finally {
    await browser.close();
    await product.stop();
  }
}

export async function benchFace(): Promise<Row[]> {
  const engine = await createEmbeddedEngine({ processes: 1 });
  try {
    const spoken: { timeline: SpokenTimeline; motion: Motion }[] = [];
    for (const human of humans) {
      const timeline = await timelineOf(engine, human);
      spoken.push({ timeline, motion: createMotion({ timeline, seed: human.id, text: human.preview }) });
    }
    const lips = spoken.map(({ timeline, motion }) => measureLips(motion, timeline));
    const late = spoken.map(({ timeline, motion }) => measureLips((at) => motion(at - lateSeconds), timeline));
    const least = (list: typeof lips) => 100 * Math.min(...list.map(({ rightShare }) => rightShare));
    const closures = lips.reduce((sum, one) => sum + one.closures, 0);
    const closed = lips.reduce((sum, one) => sum + one.closed, 0);
    const [first] = spoken;
    const portrait = parsePortrait(humans[0]?.portrait);
    if (!first || !portrait) throw new Error("no seeded human");
    const draw = createPersonDrawing(portrait, "large");
    return [
      {
        name: "baseline: frames with the right mouth, lips a quarter of a second late, lowest of 18",
        value: least(late),
        unit: "%",
      },
      { name: "frames with the right mouth, lowest of 18 previews", value: least(lips), unit: "%", reference: "≥ 95" },
      {
        name: "p, b, m with a frame of closed lips",
        value: (100 * closed) / closures,
        unit: "%",
        reference: `100 (${closures} of them)`,
      },
      {
        name: "pose and moving parts of a frame",
        value: microsecondsOf((at) => poseParts(portrait, first.motion(at % 4))),
        unit: "µs",
        reference: "≤ 1,000 (4 ms at a quarter of the speed)",
      },
      {
        name: "a whole frame as text, for films",
        value: microsecondsOf((at) => draw(first.motion(at % 4))),
        unit: "µs",
      },
      ...(await benchPhotos(first.motion)),
      ...(await benchBrowser()),
    ];
  } finally {
    await engine.close();
  }
}
