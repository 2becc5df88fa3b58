import { hopSeconds } from "../../../dsp/grid";
import type { SpokenUnit, TimelineUnit } from "../../../engine";
import type { Clause } from "../reading/clauses";
import { runningDepth } from "./voice";

/** Changes to the source reading of a clause, one value per frame of the source. */
export interface Intonation {
  raiseSt: Float32Array;
  /** Factor of the distance to the median pitch. */
  range: Float32Array;
  /** Share of the distance below the median pitch. */
  depth: Float32Array;
  gainDb: Float32Array;
  /** Factor of the duration. */
  length: Float32Array;
}

interface PitchChange {
  raiseSt: number;
  range: number;
  depth: number;
  gainDb: number;
  length: number;
}

const plain: PitchChange = { raiseSt: 0, range: 1, depth: runningDepth, gainDb: 0, length: 1 };
/** Before a pause low tones are lower, and in a clause of one or two syllables they are whole. */
const finalDepth = 0.8;
const shortClause = 2;
/**
 * Semitones per second on top of the source's −0.4, and the most that a clause falls. With −0.6 phrases fell by 1.5 a
 * second, with −0.2 by 0.9; recordings by 0.7.
 */
const declination = { slope: -0.2, most: 3 };
/** Pitch of the first clause of a sentence and of those after it: each comma resets it in part. With 0.4 voices were 0.2 to 0.6 st high. */
const register = { firstSt: 0.15, stepSt: -0.15, lowestSt: -1.25 };
/**
 * A question without a particle or question word rises by this at its end; a share of it raises the whole. Measured: 4.2
 * put the last syllable 6 st above a statement's, listeners expect 3–4. 你吃饭？, with a
 * falling tone at its end, measured 2.4 where 3.3 were planned.
 */
const question = { riseSt: 2.4, fallingSt: 0.65, registerShare: 0.35, markedShare: 0.4, slopeShare: 0.2 };
const statementFallSt = -0.6;
const itemRiseSt = 0.8;
/** Durations of the last syllable before a pause. */
const finalLength = { sentence: 1.3, clause: 1.2, particle: 1.05 };
const lightParticle: PitchChange = { ...plain, gainDb: -1.5, length: 0.9 };
const exclamation: PitchChange = { ...plain, raiseSt: 0.6, range: 1.25 };
const aside: PitchChange = { ...plain, raiseSt: -1.5, range: 0.85, gainDb: -2, length: 0.9 };
/** Words that carry the focus of a sentence, and syllables with the emphasis mark. */
const focus: PitchChange = { ...plain, raiseSt: 0.7, range: 1.15, gainDb: 1, length: 1.1 };
const emphasis: PitchChange = { ...plain, depth: 1, raiseSt: 1.2, range: 1.4, gainDb: 2.5, length: 1.3 };
/** Change after an emphasis in its clause: listeners find the focus of a sentence by the flat pitch behind it. */
const afterEmphasis: PitchChange = { ...plain, raiseSt: -0.8, range: 0.7, gainDb: -1, length: 1 };

const questionWords = /什么|谁|哪|怎|多少|几|为何|何时|吗|呢|吧/u;
const particles = /^(?:ma|ba|ne|a|ya|la|wa)5$/;
/** 才, 就 and 都, what 连 brings into focus, and the two sides of a contrast. */
const focused = /(?<=[^不而])[才就都]|(?<=连).{1,4}?(?=[也都])|(?<=不是|而是).{1,2}/gu;
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
  const fill = (key: keyof PitchChange, join: (change: number, whole: number) => number) =>
    new Float32Array(frames).fill(join(plain[key], whole[key]));
  const sum = (a: number, b: number) => a + b;
  const product = (a: number, b: number) => a * b;
  const planned: Intonation = {
    raiseSt: fill("raiseSt", sum),
    gainDb: fill("gainDb", sum),
    range: fill("range", product),
    length: fill("length", product),
    depth: new Float32Array(frames).fill(runningDepth),
  };
  let next = 0;
  for (const { offset, pinyin, start, end } of times) {
    const found = clause.units.findIndex((unit, i) => i >= next && unit.offset === offset && unit.pinyin === pinyin);
    if (found < 0) continue;
    next = found + 1;
    const change = changes[found] ?? plain;
    const [from, to] = [frameAt(start), Math.min(frames, frameAt(end))];
    planned.raiseSt.fill(sum(change.raiseSt, whole.raiseSt), from, to);
    planned.gainDb.fill(sum(change.gainDb, whole.gainDb), from, to);
    planned.range.fill(product(change.range, whole.range), from, to);
    planned.depth.fill(change.depth, from, to);
    planned.length.fill(product(change.length, whole.length), from, to);
  }
  const raiseSt = smooth(planned.raiseSt).map((raise, f) => raise + curve(f * hopSeconds));
  return {
    raiseSt,
    gainDb: smooth(planned.gainDb),
    range: smooth(planned.range),
    length: planned.length,
    depth: smooth(planned.depth),
  };
}

const frameAt = (ms: number) => Math.round(ms / 1000 / hopSeconds);

function clauseChange({ ending, isAside }: Clause): PitchChange {
  if (isAside) return aside;
  return ending === "!" ? exclamation : plain;
}

/** The change of each unit. */
function changesOf({ units, ending, isItem }: Clause): PitchChange[] {
  const stressed = findFocus(units);
  const firstEmphasised = units.findIndex((unit) => unit.isEmphasised);
  return units.map((unit, at) => {
    const isLast = at === units.length - 1;
    const isParticle = particles.test(unit.pinyin ?? "");
    const unstressed = firstEmphasised >= 0 && at > firstEmphasised ? afterEmphasis : stressed.has(at) ? focus : plain;
    const changed = unit.isEmphasised ? emphasis : isLast && isParticle ? lightParticle : unstressed;
    const base =
      isLast || units.length <= shortClause
        ? { ...changed, depth: Math.max(changed.depth, units.length <= shortClause ? 1 : finalDepth) }
        : changed;
    if (!isLast) return base;
    const final = isParticle ? finalLength.particle : ending === "," ? finalLength.clause : finalLength.sentence;
    const isFalling = ending === "." && !isItem;
    return {
      ...base,
      length: base.length * final,
      raiseSt: base.raiseSt + (isFalling ? 0.5 * statementFallSt : 0),
    };
  });
}

/** Indexes of the syllables in focus. One character per unit, so that positions agree. */
function findFocus(units: readonly SpokenUnit[]): Set<number> {
  const found = new Set<number>();
  const text = units.map((unit) => (/^\p{Script=Han}$/u.test(unit.text[0] ?? "") ? unit.text[0] : "·")).join("");
  for (const { 0: word, index } of text.matchAll(focused)) {
    for (let at = index; at < index + word.length; at++) found.add(at);
  }
  return found;
}

/** Semitones by seconds: the fall over the clause, its register, and the end of a question, statement or item. */
function pitchCurve(clause: Clause, times: readonly TimelineUnit[], seconds: number): (at: number) => number {
  const { ending, indexInSentence, isItem, units } = clause;
  const isQuestion = ending === "?";
  const slope = Math.max(declination.slope, -declination.most / seconds);
  const fall = slope * (isQuestion ? question.slopeShare : isItem ? 0.5 : 1);
  const isMarked = questionWords.test(units.map(({ text }) => text).join(""));
  const fullSt = question.riseSt + (units.at(-1)?.tone === 4 ? question.fallingSt : 0);
  const riseSt = isQuestion ? fullSt * (isMarked ? question.markedShare : 1) : 0;
  const height = Math.max(register.lowestSt, register.firstSt + register.stepSt * indexInSentence);
  const last = times.at(-1);
  const lastFrom = last ? last.start / 1000 : seconds;
  const endSt = isQuestion
    ? riseSt * (1 - question.registerShare)
    : isItem
      ? itemRiseSt
      : ending === "."
        ? statementFallSt
        : 0;
  // The end begins one syllable early, so that the tone of the last one keeps its shape.
  const from = Math.max(0, lastFrom - 0.15);
  return (at) => {
    const share = Math.min(1, Math.max(0, (at - from) / Math.max(0.1, seconds - from)));
    return fall * (at - seconds / 2) + height + riseSt * question.registerShare + endSt * Math.min(1, share * 2);
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
