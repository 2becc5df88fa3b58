import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Timeline } from "../../../speech/engine";
import { createMix } from "./mix";
import { audibleMs, beginOf, overrunOf, type Placeable, type PlacedLine } from "./placement";

const sampleRate = 8000;

/** A tone followed by silence, in milliseconds. */
function sound(toneMs: number, silenceMs = 0, level = 8000) {
  const pcm = new Int16Array(((toneMs + silenceMs) * sampleRate) / 1000);
  pcm.fill(level, 0, (toneMs * sampleRate) / 1000);
  const timeline = {
    sampleRate,
    durationMs: toneMs + silenceMs,
    units: [{ text: "字", offset: 0, start: 0, end: toneMs }],
    phonemes: [{ ph: "a", viseme: "aa", start: 0, end: toneMs }],
  };
  return { pcm, sampleRate, timeline };
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Int16Array) => Buffer.from(buffer, byteOffset, byteLength);

const placeable = (more: Partial<Placeable> = {}): Placeable => ({
  roleId: "one",
  pauseAfter: 0,
  startMs: null,
  endMs: null,
  ...more,
});

function place(lines: Array<Placeable & Pick<PlacedLine, "sound">>): PlacedLine[] {
  const placed: PlacedLine[] = [];
  for (const line of lines) placed.push({ ...line, beginsMs: beginOf(line, placed.at(-1)) });
  return placed;
}

async function assemble(lines: PlacedLine[]) {
  const folder = await mkdtemp(join(tmpdir(), "mix-"));
  const mix = await createMix(join(folder, "sound"));
  for (const line of lines) await mix.add(line);
  const { path, samples, timeline } = await mix.end();
  const bytes = await readFile(path);
  await rm(folder, { recursive: true });
  expect(bytes.length).toBe(samples * 2);
  const whole = timeline && (JSON.parse(timeline.join("")) as Timeline);
  return { pcm: new Int16Array(Uint8Array.from(bytes).buffer), timeline: whole };
}

test("the pause between two lines is shorter for the same speaker than for another one", () => {
  const lines = place([
    { ...placeable(), sound: sound(1000) },
    { ...placeable(), sound: sound(1000) },
    { ...placeable({ roleId: "two" }), sound: sound(1000) },
  ]);
  expect(lines.map(({ beginsMs }) => beginsMs)).toEqual([0, 1350, 2950]);
});

test("existing silence counts towards the pause, and a longer silence is kept", () => {
  const [, near] = place([
    { ...placeable(), sound: sound(1000, 200) },
    { ...placeable(), sound: sound(500) },
  ]);
  expect(near?.beginsMs).toBe(1375);
  const [, far] = place([
    { ...placeable({ pauseAfter: 0.5 }), sound: sound(1000, 3000) },
    { ...placeable(), sound: sound(500) },
  ]);
  expect(far?.beginsMs).toBe(4000);
});

test("an explicit pause has its exact length, after the last line too", async () => {
  const lines = place([
    { ...placeable({ pauseAfter: 2 }), sound: sound(1000) },
    { ...placeable({ pauseAfter: 1 }), sound: sound(1000) },
  ]);
  expect(lines[1]?.beginsMs).toBe(3000);
  expect((await assemble(lines)).pcm.length).toBe(5 * sampleRate);
});

test("a subtitle's line begins at its time, or when the line before it ends", () => {
  const lines = place([
    { ...placeable({ startMs: 500, endMs: 1000 }), sound: sound(900) },
    { ...placeable({ startMs: 1000, endMs: 3000 }), sound: sound(500) },
    { ...placeable({ startMs: 4000, endMs: 5000 }), sound: sound(500) },
  ]);
  expect(lines.map(({ beginsMs }) => beginsMs)).toEqual([500, 1400, 4000]);
  expect(lines.map(overrunOf)).toEqual([400, 0, 0]);
});

test("lines never overlap, no audible sample is lost, and levels are unchanged", async () => {
  const line = fc.record({
    toneMs: fc.integer({ min: 20, max: 800 }),
    silenceMs: fc.nat(500),
    level: fc.constantFrom(2000, 8000, 16_000),
    roleId: fc.constantFrom("one", "two"),
    pauseAfter: fc.constantFrom(0, 0.2, 1),
    startMs: fc.option(fc.nat(6000)),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 8 }), async (given) => {
      const lines = place(
        given.map(({ toneMs, silenceMs, level, ...more }) => ({
          ...placeable(more),
          sound: sound(toneMs, silenceMs, level),
        })),
      );
      const { pcm, timeline } = await assemble(lines);
      for (const [index, { beginsMs, sound: own }] of lines.entries()) {
        const before = lines[index - 1];
        if (before) expect(beginsMs).toBeGreaterThanOrEqual(before.beginsMs + audibleMs(before.sound));
        const from = Math.round((beginsMs * sampleRate) / 1000);
        const heard = own.pcm.findLastIndex((value) => value !== 0) + 1;
        expect(Buffer.compare(bytesOf(pcm.subarray(from, from + heard)), bytesOf(own.pcm.subarray(0, heard)))).toBe(0);
        const unit = timeline?.units.find((one) => one.line === index);
        expect(unit?.start).toBe(beginsMs);
      }
      const all = given.reduce((sum, { toneMs }) => sum + Math.round((toneMs * sampleRate) / 1000), 0);
      expect(pcm.filter((value) => value !== 0).length).toBe(all);
    }),
  );
});
