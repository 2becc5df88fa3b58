import { speechRate } from "../../dsp/grid";
import { findPitchRange } from "../../dsp/pitch-range";
import { resample } from "../../dsp/resample";
import { mean } from "../../dsp/statistics";
import { SpeechError } from "../../engine";
import { analyseSound, proofRate } from "../../proof/frames";
import { describeSpeaker, type Voiceprint } from "../../proof/speaker";
import { type Analysis, analyse } from "../embedded/voice/analysis";
import { normaliseLevel } from "../embedded/voice/enrolment";
import { estimateSyllableRate } from "../embedded/voice/pace";
import { longTermPower } from "../embedded/voice/shape";

/** What a voice is compared by. */
export interface VoiceDescription {
  medianSt: number;
  spreadSt: number;
  /** 5th to 95th percentile. */
  lowSt: number;
  highSt: number;
  syllablesPerSecond: number;
  /** Long-term spectrum in dB by mel band; its mean is 0. */
  spectrumDb: number[];
  /** Null for less than two seconds of speech. */
  print: Voiceprint | null;
}

const minVoicedFrames = 60;
/** More tells little about a voice and takes time. */
const maxSeconds = 20;

/** Describes the voice in mono samples. Throws SpeechError 'reference' where there is no speech. */
export function describeVoice({
  samples,
  sampleRate,
}: {
  samples: Float32Array;
  sampleRate: number;
}): VoiceDescription {
  const excerpt = samples.subarray(0, maxSeconds * sampleRate);
  const speech = analyse(normaliseLevel(resample(excerpt, sampleRate, speechRate)));
  const range = findPitchRange(speech.pitch);
  if (!range || range.voicedFrames < minVoicedFrames) throw new SpeechError("reference", "no-speech");
  const { medianSt, spreadSt, lowSt, highSt } = range;
  return {
    ...{ medianSt, spreadSt, lowSt, highSt },
    syllablesPerSecond: estimateSyllableRate(speech),
    spectrumDb: longTermSpectrum(speech),
    print: describeSpeaker(analyseSound(resample(excerpt, sampleRate, proofRate))),
  };
}

function longTermSpectrum(speech: Analysis): number[] {
  const levels = Array.from(longTermPower(speech), (power) => (10 * power) / Math.LN10);
  const level = mean(levels);
  return levels.map((value) => value - level);
}
