import { monthlyCharacters } from "../../contract/limits";
import { type Grant, type GrantChange, type GrantRun, replay, stepSeconds, type Tier } from "./replay";

/** Thirty days of a grant with their characters; the last step of a grant may be shorter. Times are Unix seconds. */
export interface CharacterStep {
  /** Key of its characters. */
  period: string;
  tier: Tier;
  characters: number;
  startsAt: number;
  /** Later than 30 days after the start where the grant waited for another one. */
  endsAt: number;
}

/**
 * The steps of all grants, past and coming, by start. A step is counted in time that its grant runs, so that no order of
 * buying adds or loses characters; a step shorter than 30 days has its share.
 */
export function toSteps(rows: ReadonlyArray<Grant | GrantChange>): CharacterStep[] {
  const { runs } = replay(rows, Number.POSITIVE_INFINITY);
  const ids = new Set(runs.map(({ grantId }) => grantId));
  return [...ids]
    .flatMap((id) => stepsOfGrant(runs.filter(({ grantId }) => grantId === id)))
    .sort((a, b) => a.startsAt - b.startsAt);
}

function stepsOfGrant(runs: GrantRun[]): CharacterStep[] {
  const { grantId, tier } = runs[0] as GrantRun;
  const seconds = runs.reduce((sum, { from, until }) => sum + until - from, 0);
  return Array.from({ length: Math.ceil(seconds / stepSeconds) }, (_, index) => {
    const from = index * stepSeconds;
    const until = Math.min(seconds, from + stepSeconds);
    const first = runs.findLast(({ offset }) => offset <= from) as GrantRun;
    const last = runs.findLast(({ offset }) => offset < until) as GrantRun;
    return {
      period: `${grantId}/${index}`,
      tier,
      characters: Math.floor((monthlyCharacters[tier] * (until - from)) / stepSeconds),
      startsAt: first.from + from - first.offset,
      endsAt: last.from + until - last.offset,
    };
  });
}
