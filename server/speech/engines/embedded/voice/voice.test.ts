import { describe, expect, it, vi } from "vitest";
import { noise, type Sound, silence, speechLike } from "../../../../../tests/support/sounds";
import { binCount, speechRate } from "../../../dsp/grid";
import { toSemitones } from "../../../dsp/pitch-range";
import { mixEmotions, plainProsody } from "../../delivery";
import { alignmentFeatures, alignSequences } from "./alignment";
import { type Analysis, analyse } from "./analysis";
import { convert, mapPitch, noiseShareByBin } from "./conversion";
import { designVoice } from "./design";
import { enrol } from "./enrolment";
import { createWarp, warpFrame } from "./vocal-tract";
import { type EmbeddedVoice, sourcePitch } from "./voice";

const designed = (options: Partial<Parameters<typeof designVoice>[0]> = {}) =>
  designVoice({ pitchHz: 180, pitchSpreadSt: 3, tract: 1, breath: 0.1, tilt: 0, rate: 1, ...options })
    .parameters as EmbeddedVoice;

describe("designVoice", () => {
  it("makes each parameter audible", () => {
    const plain = designed();
    expect(designed({ tract: 1.2 }).tract).toBe(1.2);
    expect(designed({ tilt: -3 }).voiced.voice.at(-1)).toBeLessThan((plain.voiced.voice.at(-1) ?? 0) - 1.5);
    expect(designed({ breath: 0.9 }).breath).toBe(0.9);
    expect(designed({ rate: 1.2 }).rate).toBe(1.2);
    expect(designed({ tract: 1.2 }).voiced.source).not.toEqual(plain.voiced.source);
    expect(designed({ pitchHz: 90 }).pitch.medianSt).toBeCloseTo(plain.pitch.medianSt - 12, 5);
  });
});

describe("enrol", () => {
  it.each<[string, Sound, string]>([
    ["digital silence", silence({ seconds: 8 }), "silent"],
    ["noise", noise({ seconds: 4 }), "no-speech"],
  ])("refuses %s before the source voice is read", async (_, sound, reason) => {
    const calibrate = vi.fn();
    const enrolling = enrol(sound, calibrate, async () => {});
    await expect(enrolling).rejects.toMatchObject({ fault: "reference", message: reason });
    expect(calibrate).not.toHaveBeenCalled();
  });
});

describe("mapPitch", () => {
  const source = Float32Array.from({ length: 60 }, (_, f) =>
    f < 5 ? 0 : 2 ** ((sourcePitch.medianSt - 2 + f / 15) / 12),
  );

  it("keeps unvoiced frames, moves the median and keeps the contour's shape", () => {
    const mapped = mapPitch(source, designed({ pitchSpreadSt: sourcePitch.spreadSt }));
    expect(mapped.subarray(0, 5).every((hz) => hz === 0)).toBe(true);
    const rise = toSemitones(mapped[59] as number) - toSemitones(mapped[5] as number);
    expect(rise).toBeCloseTo(3.1, 0);
    expect(toSemitones(mapped[35] as number)).toBeCloseTo(toSemitones(180), 0);
  });

  it("lowers the third and the neutral tone less than the source, as people do in running speech", () => {
    const at = (st: number) =>
      toSemitones(
        mapPitch(
          Float32Array.of(2 ** ((sourcePitch.medianSt + st) / 12)),
          designed({ pitchSpreadSt: sourcePitch.spreadSt }),
        )[0] as number,
      );
    expect(at(2) - at(0)).toBeCloseTo(2, 1);
    expect(at(0) - at(-4)).toBeGreaterThan(2.2);
    expect(at(0) - at(-4)).toBeLessThan(3.4);
  });

  it("widens the range for a lively voice and rises with the prosody", () => {
    const rise = (values: Float32Array) => toSemitones(values[59] as number) - toSemitones(values[5] as number);
    const calm = mapPitch(source, designed({ pitchSpreadSt: 1.5 }));
    const lively = mapPitch(source, designed({ pitchSpreadSt: 4 }));
    expect(rise(lively)).toBeGreaterThan(2 * rise(calm));
    const raised = mapPitch(source, designed(), { ...plainProsody, raiseSt: 3 });
    const plain = mapPitch(source, designed());
    expect(toSemitones(raised[30] as number) - toSemitones(plain[30] as number)).toBeCloseTo(3, 1);
  });
});

describe("mixEmotions", () => {
  it("is neutral without emotions and mixes by weight", () => {
    expect(mixEmotions()).toEqual(plainProsody);
    expect(mixEmotions({ happy: 0.5 }).raiseSt).toBeCloseTo(mixEmotions({ happy: 1 }).raiseSt / 2, 6);
  });

  it("limits the total weight of several emotions to one", () => {
    const all = mixEmotions({ happy: 1, surprised: 1, angry: 1 });
    expect(all.raiseSt).toBeLessThan(mixEmotions({ surprised: 1 }).raiseSt);
  });
});

describe("noiseShareByBin", () => {
  it("rises with the breath and with frequency, and is a share", () => {
    const [clear, breathy] = [noiseShareByBin(0), noiseShareByBin(0.9)];
    expect(breathy[20]).toBeGreaterThan(5 * (clear[20] as number));
    expect(clear[400]).toBeGreaterThan(clear[20] as number);
    for (const value of breathy) expect(value > 0 && value < 1).toBe(true);
  });
});

describe("convert", () => {
  it("reduces the distance between the shapes of a designed voice", () => {
    const frames = 80;
    const shape = (f: number, bin: number) => (f < frames / 2 ? 1 : -1) * 4 * (bin / binCount - 0.5);
    const source: Analysis = {
      samples: new Float32Array(frames * 110),
      frames,
      pitch: new Float32Array(frames).fill(120),
      envelope: Float32Array.from({ length: frames * binCount }, (_, i) =>
        shape(Math.floor(i / binCount), i % binCount),
      ),
      powerDb: new Float32Array(frames),
      peakDb: 0,
      active: new Uint8Array(frames).fill(1),
    };
    const { envelope } = convert(source, designed());
    const tiltAt = (f: number) => (envelope[f * binCount + 400] as number) - (envelope[f * binCount + 100] as number);
    const sourceTilt = shape(10, 400) - shape(10, 100);
    expect((tiltAt(10) - tiltAt(70)) / (2 * sourceTilt)).toBeCloseTo(0.7, 1);
  });
});

describe("createWarp", () => {
  it("moves a formant by the vocal tract ratio and changes nothing at 1", () => {
    const frame = Float32Array.from({ length: binCount }, (_, k) => -Math.abs(k - 100) / 10);
    const warped = new Float32Array(binCount);
    warpFrame(createWarp(1.2), frame, 0, warped);
    expect(warped.indexOf(Math.max(...warped))).toBe(120);
    warpFrame(createWarp(1), frame, 0, warped);
    expect(Array.from(warped)).toEqual(Array.from(frame));
  });
});

describe("alignSequences", () => {
  it("finds the same moment in a slower reading", () => {
    const { samples } = speechLike({ seconds: 3, seed: 9 });
    const slow = new Float32Array(Math.round(samples.length * 1.3));
    // Unchanged syllables with longer rests between them: frames of 100 ms with 30 ms of silence.
    const block = Math.round(speechRate * 0.1);
    for (let b = 0; b * block < samples.length; b++)
      slow.set(samples.subarray(b * block, (b + 1) * block), Math.round(b * block * 1.3));
    const sequences = [alignmentFeatures(analyse(samples)), alignmentFeatures(analyse(slow))] as const;
    const { pairs, cost } = alignSequences(...sequences);
    const errors = pairs.map(([a, b]) => Math.abs(b - a * 1.3)).sort((x, y) => x - y);
    expect(errors[Math.floor(errors.length / 2)]).toBeLessThan(12);
    expect(cost).toBeGreaterThan(0);
  });
});
