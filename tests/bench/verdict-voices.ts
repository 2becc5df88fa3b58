/** Alterations of real speech by analysis and synthesis: singing, whisper, a child's voice, another pitch range. */
import { binCount, hopSeconds, speechRate } from "../../server/speech/dsp/grid";
import { findPitchRange, toHz, toSemitones } from "../../server/speech/dsp/pitch-range";
import { synthesize } from "../../server/speech/dsp/synthesis";
import { type Analysis, analyse } from "../../server/speech/engines/embedded/voice/analysis";
import { noiseShareByBin } from "../../server/speech/engines/embedded/voice/breath";

const breath = noiseShareByBin(0.1);
/** Semitones from the person's median, a pentatonic melody. */
const melody = [0, 2, 4, 7, 4, 2, 0, -3, 0, 4, 7, 9, 7, 4, 2, 0];
/** Most of a vowel is sung this many times as long; other sounds keep their length. */
const vowelStretch = 2.2;
const vibrato = { hz: 5.5, depthSt: 0.35, afterSeconds: 0.15 };

type Frames = Pick<Analysis, "pitch" | "envelope">;

const render = ({ pitch, envelope }: Frames) =>
  synthesize({ pitch, envelope, noiseShare: breath }, Math.round(pitch.length * hopSeconds * speechRate));

/** A pitch range of `factor` around the median. */
export function withPitchRange(samples: Float32Array, factor: number): Float32Array {
  const analysis = analyse(samples);
  const median = findPitchRange(analysis.pitch)?.medianSt ?? 0;
  const pitch = analysis.pitch.map((hz) => (hz > 0 ? toHz(median + (toSemitones(hz) - median) * factor) : 0));
  return render({ ...analysis, pitch });
}

/** Pitch and formants raised by these factors. */
export function asChild(samples: Float32Array, { pitch, formants }: { pitch: number; formants: number }): Float32Array {
  const analysis = analyse(samples);
  const envelope = new Float32Array(analysis.envelope.length);
  for (let at = 0; at < envelope.length; at++) {
    const [frame, bin] = [Math.floor(at / binCount), at % binCount];
    envelope[at] = analysis.envelope[frame * binCount + Math.round(bin / formants)] as number;
  }
  return render({ pitch: analysis.pitch.map((hz) => Math.min(480, hz * pitch)), envelope });
}

/** Every voiced sound is noise through the same vocal tract, with the low tilt that whispers lack taken off. */
export function asWhisper(samples: Float32Array): Float32Array {
  const analysis = analyse(samples);
  const envelope = analysis.envelope.map((log, at) => {
    const hz = ((at % binCount) * speechRate) / 1024;
    const isVoiced = (analysis.pitch[Math.floor(at / binCount)] as number) > 0;
    return isVoiced ? log - 2.3 * Math.max(0, 1 - hz / 1500) - 1.5 : log;
  });
  return render({ pitch: new Float32Array(analysis.pitch.length), envelope });
}

/** The words on the notes of a melody, with long vowels and vibrato; `hasVibrato: false` for an untrained voice. */
export function asSinging(samples: Float32Array, { hasVibrato = true } = {}): Float32Array {
  const analysis = analyse(samples);
  const median = findPitchRange(analysis.pitch)?.medianSt ?? 36;
  const source = stretchVowels(analysis.pitch);
  const pitch = new Float32Array(source.length);
  const envelope = new Float32Array(source.length * binCount);
  let note = 0;
  let sungFrames = 0;
  let previous = median;
  for (const [frame, from] of source.entries()) {
    envelope.set(analysis.envelope.subarray(from * binCount, (from + 1) * binCount), frame * binCount);
    if ((analysis.pitch[from] as number) <= 0) {
      if (sungFrames > 0) note++;
      sungFrames = 0;
      continue;
    }
    const seconds = sungFrames++ * hopSeconds;
    // A new note every 0.6 s of a vowel, with a glide of 60 ms from the last one.
    if (seconds > 0.6) {
      note++;
      sungFrames = 1;
    }
    const target = median + (melody[note % melody.length] as number);
    previous += (target - previous) * (hopSeconds / 0.025);
    const wave = hasVibrato && seconds > vibrato.afterSeconds ? Math.sin(2 * Math.PI * vibrato.hz * seconds) : 0;
    pitch[frame] = toHz(previous + vibrato.depthSt * wave);
  }
  return render({ pitch, envelope });
}

/** For each frame of the song, the frame of speech it comes from. */
function stretchVowels(pitch: Float32Array): number[] {
  const source: number[] = [];
  for (let frame = 0, at = 0; frame < pitch.length; frame++) {
    at += (pitch[frame] as number) > 0 ? vowelStretch : 1;
    while (source.length < at) source.push(frame);
  }
  return source;
}
