import { describe, expect, it } from "vitest";
import type { SpeechRequest, VoiceDesign, VoiceProfile } from "../../engine";
import { designKokoroVoice, kokoroId, kokoroVersion, toProsody } from "./voice";

const mix = { styles: { zf_xiaobei: 0.5, ff_siwis: 0.5 }, medianHz: 225, shiftSt: 2, tempo: 0.9 };
const design: VoiceDesign = { pitchHz: 250, pitchSpreadSt: 3, tract: 1, breath: 0, tilt: 0, rate: 1, mix };
const request = (more: Partial<SpeechRequest> = {}): SpeechRequest => ({
  text: { units: [] },
  voice: designKokoroVoice(design),
  speed: 1,
  ...more,
});
/** Where a pitch of the model ends up, in semitones from the mix's median. */
const moved = (hz: number, more: Partial<SpeechRequest> = {}) => {
  const { scale, range } = toProsody(request(more));
  return 12 * Math.log2((scale * hz ** range) / mix.medianHz);
};

describe("the model's prosody", () => {
  it("has the person's median pitch and tempo", () => {
    expect(moved(mix.medianHz)).toBeCloseTo(2, 6);
    expect(toProsody(request()).speed).toBeCloseTo(0.9, 6);
  });

  it("moves by the asked pitch at every mood, and widens around the median", () => {
    expect(moved(mix.medianHz, { pitch: 3 })).toBeCloseTo(5, 6);
    const happy = { emotion: { happy: 1 } };
    expect(moved(mix.medianHz, { ...happy, pitch: 3 }) - moved(mix.medianHz, happy)).toBeCloseTo(3, 6);
    const spread = (more: Partial<SpeechRequest>) => moved(2 * mix.medianHz, more) - moved(mix.medianHz, more);
    expect(spread(happy)).toBeGreaterThan(spread({}));
    expect(spread({ emotion: { sad: 1 } })).toBeLessThan(spread({}));
  });

  it("takes range and tempo of another recording, and not its pitch", () => {
    const parameters = { styles: { zm_yunxi: 1 }, mixHz: 144, pitchHz: 120, range: 1.3, tempo: 1.2 };
    const tone: VoiceProfile = { engine: kokoroId, version: kokoroVersion, parameters };
    expect(toProsody(request({ tone }))).toMatchObject({ range: 1.3, speed: 1.2 });
    expect(moved(mix.medianHz, { tone })).toBeCloseTo(2, 6);
  });

  it("differs when a text is spoken again, and stays within the model's speeds", () => {
    const deliveries = [0, 1, 2, 3, 4].map((repetition) => toProsody(request({ repetition })).speed);
    expect(new Set(deliveries).size).toBe(5);
    expect(toProsody(request({ speed: 2, emotion: { angry: 1 } })).speed).toBe(2);
  });

  it("refuses the voice of another engine", () => {
    expect(() => toProsody(request({ voice: { engine: "embedded", version: "1", parameters: {} } }))).toThrow(
      /belongs/,
    );
  });
});
