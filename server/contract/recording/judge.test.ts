import { describe, expect, test } from "vitest";
import { resample } from "~server/speech/dsp/resample";
import {
  amplified,
  asLoudAs,
  clipped,
  inRoom,
  joined,
  mixed,
  music,
  noise,
  pinkNoise,
  type Sound,
  silence,
  speechLike,
  sung,
  tone,
  whispered,
} from "../../../tests/support/sounds";
import { assessRecording, usedPart } from "./judge";

const speech = speechLike({ seconds: 8 });
const hiss = (level: number) => noise({ seconds: 8, level });
const phoneSpeech = speechLike({ seconds: 8, sampleRate: 8000 });
/** A telephone's band at another rate: what filters and lossy codecs leave above it was measured at −43 dB. */
const lossyPhoneSpeech: Sound = { samples: resample(phoneSpeech.samples, 8000, 24_000), sampleRate: 24_000 };
const codecNoise = noise({ seconds: 8, sampleRate: 24_000, level: 0.0022 });
const minutes = (count: number) => joined(...Array.from({ length: Math.round(count * 7.5) }, () => phoneSpeech));
const wideMinutes = (count: number) => joined(...Array.from({ length: Math.round(count * 7.5) }, () => speech));
/** Six people who speak at once. */
const babble = [90, 120, 150, 190, 220, 260]
  .map((pitchHz, i) => speechLike({ seconds: 8, pitchHz, seed: 20 + i }))
  .reduce(mixed);
/** A fan's whine, whose partials stand still. */
const whine = [187, 374, 561].map((hz) => tone({ seconds: 8, hz, level: 0.012 })).reduce(mixed);
const shortSpeech = speechLike({ seconds: 3.3 });
const residue = joined(
  ...[0, 1, 2].map((i) =>
    mixed(tone({ seconds: 2, hz: 310 + 90 * i, level: 3e-4 }), tone({ seconds: 2, hz: 700 + 90 * i, level: 3e-4 })),
  ),
);
const drums = noise({ seconds: 8 });
drums.samples = drums.samples.map((value, i) => value * Math.exp(-(i % 5512) / 600));

/** Drum beats of 0.12 s at these times. */
function kicks(times: number[], sampleRate = speech.sampleRate): Sound {
  const { samples } = silence({ seconds: 8, sampleRate });
  for (const time of times)
    for (let i = 0; i < 0.12 * sampleRate; i++) {
      const t = i / sampleRate;
      const at = Math.round(time * sampleRate) + i;
      if (at < samples.length) samples[at] = 0.3 * Math.sin(2 * Math.PI * 60 * t) * Math.exp(-20 * t);
    }
  return { samples, sampleRate };
}
const beatTimes = Array.from({ length: 13 }, (_, i) => 0.3 + 0.58 * i + 0.008 * (i % 3));
const knockTimes = [0.4, 0.7, 1.9, 2.2, 3.7, 4.1, 5.9, 6.6, 7.5];

test.each([100, 130, 200, 230, 340])(
  "the median pitch of a voice at %s Hz is found, a hum in its pauses or not",
  (pitchHz) => {
    const voice = joined(silence({ seconds: 6 }), speechLike({ seconds: 8, pitchHz, seed: 5 }));
    for (const sound of [voice, mixed(voice, tone({ seconds: 14, hz: 100, level: 0.005 }))]) {
      const measured = assessRecording(sound).pitchHz ?? 0;
      expect(Math.abs(12 * Math.log2(measured / pitchHz))).toBeLessThan(3);
    }
  },
);

test("silence has no pitch", () => {
  expect(assessRecording(silence({ seconds: 8 })).pitchHz).toBeUndefined();
});

describe("the verdict on a recording", () => {
  test.each<[string, Sound]>([
    ["a man's voice", speechLike({ seconds: 8, pitchHz: 100, seed: 2 })],
    ["a woman's voice", speechLike({ seconds: 8, pitchHz: 230, seed: 3 })],
    ["a child's voice", speechLike({ seconds: 8, pitchHz: 340, seed: 6 })],
    ["a voice with the hum of the mains", mixed(speech, tone({ seconds: 8, hz: 100, level: 0.005 }))],
    ["a voice at a browser's rate", speechLike({ seconds: 6, sampleRate: 48_000, seed: 4 })],
    ["a voice in a quiet room", mixed(speech, hiss(0.01))],
    ["a voice between long pauses", joined(silence({ seconds: 6 }), speech, silence({ seconds: 6 }))],
    ["a voice and what a codec leaves in the silence after it", joined(speech, residue)],
    ["a voice and knocks on the table", mixed(speech, kicks(knockTimes))],
  ])("is good for %s", (_, sound) => {
    expect(assessRecording(sound)).toMatchObject({ verdict: "good", tips: [] });
  });

  test.each<[string, Sound & { complete?: boolean }, string[]]>([
    ["two seconds of speech", shortSpeech, ["short"]],
    ["a voice in a loud room", mixed(speech, hiss(0.08)), ["noisy"]],
    ["a voice far away", amplified(speech, 0.06), ["quiet"]],
    ["a voice a little too loud", clipped(speech, 2.6), ["clipped"]],
    ["two minutes", wideMinutes(2), ["too-long"]],
    ["a voice among others as loud", mixed(speech, asLoudAs(speech, babble)), ["noisy"]],
    ["a voice in pink noise as loud", mixed(speech, asLoudAs(speech, pinkNoise({ seconds: 8 }))), ["noisy", "short"]],
    ["a voice in a hall", inRoom(speech, 1.2), ["noisy", "room"]],
    ["a voice on the telephone", phoneSpeech, ["phone-band"]],
    ["a voice on the telephone, saved at a high rate", mixed(lossyPhoneSpeech, codecNoise), ["phone-band"]],
    ["a voice beside a fan", mixed(speech, whine), ["music"]],
    ["a file cut off", { ...speech, complete: false }, ["truncated"]],
    ["a voice over soft music", mixed(speech, amplified(music({ seconds: 8 }), 0.13)), ["music"]],
    ["a voice over soft drums", mixed(speech, amplified(kicks(beatTimes), 0.2)), ["music"]],
    ["much at once", { ...mixed(clipped(speech, 2.6), hiss(0.08)), complete: false }, ["noisy", "truncated"]],
  ])("is usable for %s", (_, sound, tips) => {
    expect(assessRecording(sound)).toMatchObject({ verdict: "usable", tips });
  });

  test.each<[string, Sound, string[]]>([
    ["nothing at all", { samples: new Float32Array(0), sampleRate: 22_050 }, ["silent"]],
    ["silence", silence({ seconds: 6 }), ["silent"]],
    ["a muted microphone's hiss", hiss(0.001), ["silent"]],
    ["a voice over music", mixed(speech, amplified(music({ seconds: 8 }), 0.3)), ["music"]],
    ["singing", sung({ seconds: 8 }), ["singing"]],
    ["a whisper", whispered({ seconds: 8 }), ["whisper"]],
    ["a word", speechLike({ seconds: 2 }), ["too-short"]],
    [
      "a voice drowned in pink noise",
      mixed(speech, amplified(asLoudAs(speech, pinkNoise({ seconds: 8 })), 1.4)),
      ["noisy"],
    ],
    ["a word and a long pause", joined(speechLike({ seconds: 2 }), silence({ seconds: 6 })), ["too-short"]],
    ["a voice far beyond the limit", clipped(speech, 8), ["clipped"]],
    ["a voice drowned in noise", mixed(speech, hiss(0.3)), ["noisy"]],
    ["noise", hiss(0.3), ["no-speech"]],
    ["clapping", drums, ["no-speech"]],
    ["a tone", tone({ seconds: 6, hz: 200 }), ["music"]],
    ["slow chords", music({ seconds: 8, beatSeconds: 2 }), ["music"]],
    ["quick chords", music({ seconds: 8, beatSeconds: 0.25 }), ["music"]],
    ["chords and drums", mixed(music({ seconds: 8 }), drums), ["music"]],
  ])("is refused for %s", (_, sound, tips) => {
    expect(assessRecording(sound)).toMatchObject({ verdict: "refused", tips });
  });

  test("contains measurements that match the samples", () => {
    const quality = assessRecording(joined(speech, silence({ seconds: 2 })));
    expect(quality.durationMs).toBe(10_000);
    expect(quality.speechSeconds).toBeGreaterThan(4.5);
    expect(quality.speechSeconds).toBeLessThan(8);
    expect(quality.peakDb).toBe(-6);
    const [clean, room, street] = [0.003, 0.03, 0.1].map((level) => assessRecording(mixed(speech, hiss(level))).snrDb);
    expect(clean).toBeGreaterThan(room as number);
    expect(room).toBeGreaterThan(street as number);
    // Uniform noise in −a…a has a power of a²/3; the speech parts of this voice are at −19 dB.
    expect(room).toBeGreaterThan(12);
    expect(room).toBeLessThan(22);
  });

  test("uses only the first minute", () => {
    expect(usedPart(minutes(1.2)).samples.length).toBe(60 * 8000);
    const spoilt = joined(minutes(1.07), noise({ seconds: 30, sampleRate: 8000 }));
    expect(assessRecording(spoilt)).toMatchObject({
      verdict: "usable",
      tips: ["phone-band", "too-long"],
      durationMs: 94_000,
    });
  });
});
