import type { CallRequest } from "~server/contract/calls/table";
import { findScriptExcess, findScriptLengthFault } from "~server/contract/length-limits";
import { scriptCharactersMax } from "~server/contract/limits";
import { countCharacters } from "~server/contract/marks";
import { AppError, refuseLength } from "../../errors";
import type { Allowance, Owner } from "../../voices/ports";
import { accountIdOf, type DubParts } from "./parts";
export type DubRequest = CallRequest<"dubCreate">;
export type LineRequest = DubRequest["lines"][number];

interface Allowed extends Allowance {
  /** Of each line. */
  segments: number[];
}

/**
 * What the account's tier lets it do with these lines, as it is now. Throws text-empty, pauses-too-long and sound-too-long
 * naming the line, and entitlement `{reason: "tier"}`, with `need`, `limit` and `line` where a line is
 * too long for the tier; text-too-long where the script is too long for all.
 */
export async function requireAllowed(parts: DubParts, owner: Owner, lines: LineRequest[]): Promise<Allowed> {
  const { spending, speech, dictionaryOf } = parts;
  const dictionary = await dictionaryOf(accountIdOf(owner));
  const allowance = await spending.allowanceOf(accountIdOf(owner));
  requireRoom(lines, allowance);
  refuseLength(findScriptLengthFault(lines));
  const examined = await speech.examineTexts(
    lines.map(({ content }) => content),
    { dictionary },
  );
  const silent = examined.findIndex(({ isSpoken }) => !isSpoken);
  if (silent >= 0) throw new AppError("text-empty", "nothing of it can be spoken", { data: { line: silent } });
  const line = lines.findIndex(isProfessional);
  if (allowance.tier !== "svip" && line >= 0) {
    throw new AppError("entitlement", "parameters of professional members", { data: { reason: "tier", line } });
  }
  return { ...allowance, segments: examined.map(({ segments }) => segments) };
}

function requireRoom(lines: LineRequest[], allowance: Allowance) {
  const excess = findScriptExcess(
    lines.map(({ content }) => countCharacters(content)),
    allowance,
  );
  if (!excess) return;
  const { need, limit } = excess;
  const data = { need, limit, ...(excess.line !== null && { line: excess.line }) };
  // A higher tier would not help.
  if (limit === scriptCharactersMax) throw new AppError("text-too-long", "more than a script holds", { data });
  throw new AppError("entitlement", "more characters than the tier speaks at a time", {
    data: { ...data, reason: "tier" },
  });
}

/** Parameters that stand where they always stand change nothing, and are everybody's. */
function isProfessional({ genre, ext, emotionPath, pitch, volume }: LineRequest): boolean {
  const isFelt = Object.values(ext ?? {}).some((weight) => weight !== undefined && weight !== 0);
  return genre !== 0 || isFelt || Boolean(emotionPath) || Boolean(pitch) || Boolean(volume);
}

/** For each line the recording to take its tone from, null without one. Throws voice-missing and bad-request naming the line. */
export async function findVoices({ roles, recordings }: DubParts, owner: Owner, lines: LineRequest[]) {
  const usable = new Map<string, boolean>();
  const tones: Array<string | null> = [];
  for (const [line, { roleId, genre, emotionPath }] of lines.entries()) {
    if (!usable.has(roleId)) usable.set(roleId, (await roles.findUsable(owner, roleId)) !== null);
    if (!usable.get(roleId)) throw new AppError("voice-missing", "no such role", { data: { line } });
    if (genre === 1 && emotionPath === undefined) {
      const data = { fields: [`lines.${line}.emotionPath`], line };
      throw new AppError("bad-request", "no recording to take the tone from", { status: 400, data });
    }
    const tone = emotionPath ? await recordings.findId(owner, emotionPath) : null;
    if (genre === 1 && !tone)
      throw new AppError("voice-missing", "the tone's recording is not the caller's", { data: { line } });
    tones.push(tone);
  }
  return tones;
}
