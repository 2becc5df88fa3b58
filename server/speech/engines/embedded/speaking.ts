import { speechRate } from "../../dsp/grid";
import type { SpeechChunk, SpeechRequest } from "../../engine";
import { paceOfRepetition } from "../delivery";
import { mixEmotions } from "../emotions";
import { toChunk } from "../timeline";
import type { Espeak } from "./espeak-process";
import { splitClauses } from "./reading/clauses";
import { fastestPace, readClause } from "./reading/source";
import { analyseSource } from "./voice/analysis";
import { render } from "./voice/conversion";
import { planIntonation } from "./voice/intonation";
import { type Prosody, withToneOf } from "./voice/prosody";
import { applyDurations, applyGain } from "./voice/timing";
import { requireEmbeddedVoice } from "./voice/voice";

const paceRange = [0.45, 2.5] as const;
/** Factor of the planned durations on a clause; without it a voice is 3–6 % slower than its recording. */
const lengthenedShare = 1.03;
/** Share of full scale above which peaks are soft-clipped. */
const kneeLevel = 0.8;

/** Synthesises clause by clause. `checkpoint` throws after a cancellation. */
export async function* speak(
  request: SpeechRequest,
  espeak: Espeak,
  checkpoint: () => Promise<void>,
): AsyncGenerator<SpeechChunk> {
  const tone = request.tone && requireEmbeddedVoice(request.tone);
  const voice = withToneOf(requireEmbeddedVoice(request.voice), tone);
  const emotion = mixEmotions(request.emotion);
  const repeatedPace = paceOfRepetition(request.repetition);
  const wantedPace = request.speed * repeatedPace * voice.rate * emotion.pace;
  const pace = Math.min(paceRange[1], Math.max(paceRange[0], wantedPace));
  const prosody: Prosody = { ...emotion, raiseSt: emotion.raiseSt + (request.pitch ?? 0) };
  const gain = 10 ** ((emotion.gainDb + (request.volume ?? 0)) / 20);
  for (const clause of splitClauses(request.text.units, pace, "heard")) {
    const sourcePace = Math.min(fastestPace, pace * lengthenedShare);
    const clip = await readClause(espeak, clause, sourcePace);
    if (!clip) continue;
    const planned = planIntonation(clause, { times: clip.units, seconds: clip.samples.length / speechRate });
    // Frames are dropped where the pace is beyond eSpeak's.
    planned.length = planned.length.map((length) => (length * sourcePace) / (pace * lengthenedShare));
    await checkpoint();
    const speech = analyseSource(clip.samples, clip.phonemes);
    await checkpoint();
    const { speech: timed, intonation: contour, toMs } = applyDurations(speech, planned);
    const sound = applyGain(render(timed, voice, { ...prosody, contour }), contour.gainDb);
    const move = <Item extends { start: number; end: number }>(item: Item): Item => ({
      ...item,
      start: toMs(item.start),
      end: toMs(item.end),
    });
    const pcm = Int16Array.from(sound, (value) => Math.round(softClip(value * gain) * 32767));
    const timeline = { units: clip.units.map(move), phonemes: clip.phonemes.map(move) };
    yield toChunk(
      { pcm, sampleRate: speechRate, timeline },
      { beforeMs: clause.pauseBeforeMs, afterMs: clause.pauseAfterMs },
    );
  }
}

function softClip(value: number): number {
  const size = Math.abs(value);
  if (size <= kneeLevel) return value;
  const headroom = 1 - kneeLevel;
  return Math.sign(value) * (kneeLevel + headroom * Math.tanh((size - kneeLevel) / headroom));
}
