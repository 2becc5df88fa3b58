import { hopSeconds } from "../../../dsp/grid";
import type { TimelineUnit } from "../../../engine";
import type { Clause } from "../reading/clauses";
import { runningDepth } from "./voice";

/**
 * What changes in the source reading: added semitones and decibels, the factor of the distance to the median pitch
 * (`range`), the share of the distance below it (`depth`), and the factor of the duration.
 */
type PitchChange = Record<"raiseSt" | "gainDb" | "range" | "depth" | "length", number>;

/** Changes to a clause, one value per frame of the source. */
export type Intonation = Record<keyof PitchChange, Float32Array>;

const plain: PitchChange = { raiseSt: 0, range: 1, depth: runningDepth, gainDb: 0, length: 1 };
/** Before a pause low tones are lower, and in a clause of one or two syllables they are whole. */
const finalDepth = 0.8;
const shortClause = 2;
/**
 * Semitones per second on top of the source's −0.4, and the most that a clause falls. With −0.6 phrases fell by 1.5 a
 * second, with −0.2 by 0.9; recordings by 0.7.
 */
const declination = { slope: -0.2, most: 3 };
/**
 * A question without a particle or question word rises by this at its end; a share of it raises the whole. Measured: 4.2
 * put the last syllable 6 st above a statement's, listeners expect 3–4. 你吃饭？, with a
 * falling tone at its end, measured 2.4 where 3.3 were planned.
 */
const question = { riseSt: 2.4, fallingSt: 0.65, registerShare: 0.35, markedShare: 0.4, slopeShare: 0.2 };
const statementFallSt = -0.6;
/** Durations of the last syllable before a pause. */
const finalLength = { sentence: 1.3, clause: 1.2, particle: 1.05 };
const lightParticle: PitchChange = { ...plain, gainDb: -1.5, length: 0.9 };
const exclamation: PitchChange = { ...plain, raiseSt: 0.6, range: 1.25 };
const aside: PitchChange = { ...plain, raiseSt: -1.5, range: 0.85, gainDb: -2, length: 0.9 };
/** Syllables with the emphasis mark. */
const emphasis: PitchChange = { ...plain, depth: 1, raiseSt: 1.2, range: 1.4, gainDb: 2.5, length: 1.3 };
/** Change after an emphasis in its clause: listeners find the focus of a sentence by the flat pitch behind it. */
const afterEmphasis: PitchChange = { ...plain, raiseSt: -0.8, range: 0.7, gainDb: -1, length: 1 };

const questionWords = /什么|谁|哪|怎|多少|几|为何|何时|吗|呢|吧/u;
const particles = /^(?:ma|ba|ne|a|ya|la|wa)5$/;
/** Half the time over which a change fades in, which keeps pitch and level free of steps. */
const fadeFrames = Math.round(0.03 / hopSeconds);

/** Plans a clause whose units are spoken at `times` in `seconds` of sound. */
export function planIntonation(
  clause: Clause,
  { times, seconds }: { times: readonly TimelineUnit[]; seconds: number },
): Intonation {
  const frames = Math.ceil(seconds / hopSeconds) + 2;
  const changes = changesOf(clause);
  const whole = clauseChange(clause);
  const curve = pitchCurve(clause, times, seconds);
  const join = ({ depth, ...change }: PitchChange): PitchChange => ({
    raiseSt: change.raiseSt + whole.raiseSt,
    gainDb: change.gainDb + whole.gainDb,
    range: change.range * whole.range,
    length: change.length * whole.length,
    depth,
  });
  const planned = byFrame((key) => new Float32Array(frames).fill(join(plain)[key]));
  let next = 0;
  for (const { offset, pinyin, start, end } of times) {
    const found = clause.units.findIndex((unit, i) => i >= next && unit.offset === offset && unit.pinyin === pinyin);
    if (found < 0) continue;
    next = found + 1;
    const change = join(changes[found] ?? plain);
    byFrame((key) => planned[key].fill(change[key], frameAt(start), frameAt(end)));
  }
  const smoothed = byFrame((key) => smooth(planned[key]));
  const raiseSt = smoothed.raiseSt.map((raise, f) => raise + curve(f * hopSeconds));
  return { ...smoothed, raiseSt, length: planned.length };
}

/** The values of each change. */
export const byFrame = (valuesOf: (key: keyof PitchChange) => Float32Array): Intonation => ({
  raiseSt: valuesOf("raiseSt"),
  gainDb: valuesOf("gainDb"),
  range: valuesOf("range"),
  depth: valuesOf("depth"),
  length: valuesOf("length"),
});

const frameAt = (ms: number) => Math.round(ms / 1000 / hopSeconds);

function clauseChange({ ending, isAside }: Clause): PitchChange {
  if (isAside) return aside;
  return ending === "!" ? exclamation : plain;
}

/** The change of each unit. */
function changesOf({ units, ending }: Clause): PitchChange[] {
  const firstEmphasised = units.findIndex((unit) => unit.isEmphasised);
  return units.map((unit, at) => {
    const isLast = at === units.length - 1;
    const isParticle = particles.test(unit.pinyin ?? "");
    const unstressed = firstEmphasised >= 0 && at > firstEmphasised ? afterEmphasis : plain;
    const changed = unit.isEmphasised ? emphasis : isLast && isParticle ? lightParticle : unstressed;
    const base =
      isLast || units.length <= shortClause
        ? { ...changed, depth: Math.max(changed.depth, units.length <= shortClause ? 1 : finalDepth) }
        : changed;
    if (!isLast) return base;
    const final = isParticle ? finalLength.particle : ending === "," ? finalLength.clause : finalLength.sentence;
    const raiseSt = base.raiseSt + (ending === "." ? 0.5 * statementFallSt : 0);
    return { ...base, length: base.length * final, raiseSt };
  });
}

/** Semitones by seconds: the fall over the clause, and the end of a question or statement. */
function pitchCurve(
  { ending, units }: Clause,
  times: readonly TimelineUnit[],
  seconds: number,
): (at: number) => number {
  const isQuestion = ending === "?";
  const fall = Math.max(declination.slope, -declination.most / seconds) * (isQuestion ? question.slopeShare : 1);
  const isMarked = questionWords.test(units.map(({ text }) => text).join(""));
  const fullSt = question.riseSt + (units.at(-1)?.tone === 4 ? question.fallingSt : 0);
  const riseSt = isQuestion ? fullSt * (isMarked ? question.markedShare : 1) : 0;
  const endSt = ending === "." ? statementFallSt : riseSt * (1 - question.registerShare);
  // The end begins one syllable early, so that the tone of the last one keeps its shape.
  const from = Math.max(0, (times.at(-1)?.start ?? seconds * 1000) / 1000 - 0.15);
  return (at) => {
    const share = Math.min(1, Math.max(0, (at - from) / Math.max(0.1, seconds - from)));
    return fall * (at - seconds / 2) + riseSt * question.registerShare + endSt * Math.min(1, share * 2);
  };
}

/** Moving average, so that a change begins before its syllable and ends after it. */
function smooth(values: Float32Array): Float32Array {
  return values.map((_, f) => {
    const from = Math.max(0, f - fadeFrames);
    const to = Math.min(values.length, f + fadeFrames + 1);
    let sum = 0;
    for (let i = from; i < to; i++) sum += values[i] as number;
    return sum / (to - from);
  });
}
