import type { SoundFrames } from "./frames";

const voicedPeriodicity = 0.5;
/** Consonants belong to the voiced sound next to them. */
const consonantSeconds = 0.2;
/** Quieter than this is a muted microphone or a noise gate, not the room. */
const gateDb = -90;
const maxSnrDb = 60;

export interface SpeechMeasure {
  speechSeconds: number;
  snrDb: number;
  /** Voiced frames at any level, heard through noise or not. */
  voicedSeconds: number;
}

/** Speech by energy and periodicity: what stands above the room's noise and lies close to something voiced. */
export function measureSpeech({ levelDb, periodicity, hopSeconds }: SoundFrames): SpeechMeasure {
  const sounding = levelDb.filter((level) => level > gateDb).sort();
  const noiseDb = quantile(sounding, 0.05);
  const thresholdDb = Math.max(noiseDb + 6, quantile(sounding, 0.95) - 30);
  const voiced = periodicity.map((value) => (value > voicedPeriodicity ? 1 : 0));
  const active = levelDb.map((level) => (level > thresholdDb ? 1 : 0));
  const reach = Math.round(consonantSeconds / hopSeconds);
  let lastVoiced = Number.NEGATIVE_INFINITY;
  let nextVoiced = nextFrom(0);
  let speech = 0;
  let power = 0;
  for (let frame = 0; frame < levelDb.length; frame++) {
    if (voiced[frame] && active[frame]) lastVoiced = frame;
    if (nextVoiced < frame) nextVoiced = nextFrom(frame);
    if (!active[frame] || Math.min(frame - lastVoiced, nextVoiced - frame) > reach) continue;
    speech++;
    power += 10 ** ((levelDb[frame] as number) / 10);
  }
  const noise = 10 ** (noiseDb / 10);
  const snrDb = speech === 0 ? 0 : 10 * Math.log10(Math.max(1, (power / speech - noise) / noise));
  return {
    speechSeconds: speech * hopSeconds,
    snrDb: Math.min(maxSnrDb, snrDb),
    voicedSeconds: voiced.reduce((sum, value) => sum + value, 0) * hopSeconds,
  };

  function nextFrom(frame: number): number {
    for (let at = frame; at < levelDb.length; at++) if (voiced[at] && active[at]) return at;
    return Number.POSITIVE_INFINITY;
  }
}

function quantile(sorted: Float32Array, share: number): number {
  return sorted[Math.floor(share * (sorted.length - 1))] ?? gateDb;
}
