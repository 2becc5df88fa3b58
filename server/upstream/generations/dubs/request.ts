import { createHash } from "node:crypto";
import type { CallRequest } from "~server/contract/calls/table";
import { findScriptExcess, findScriptLengthFault } from "~server/contract/length-limits";
import { scriptCharactersMax } from "~server/contract/limits";
import { countCharacters, type LineSound, lineKey } from "~server/contract/marks";
import type { Db } from "../../db/database";
import { AppError, refuseCharacters, refuseLength } from "../../errors";
import { idOfOwner, type Owner } from "../../owner";
import type { Allowance, DictionaryOf, SpeechParts, Spending } from "../../voices/ports";
import type { Recordings } from "../../voices/recordings";
import type { UsableRoles } from "../../voices/usable-roles";
import { findTone, isProfessional } from "../request";

export type DubRequest = CallRequest<"dubCreate">;
export type LineRequest = DubRequest["lines"][number];

export interface RequestParts {
  spending: Pick<Spending, "allowanceOf">;
  speech: Pick<SpeechParts, "examineTexts">;
  dictionaryOf: DictionaryOf;
  roles: Pick<UsableRoles, "findUsable">;
  recordings: Pick<Recordings, "findId">;
}

/**
 * The account's present allowance, and the segments of each line. Throws text-empty, pauses-too-long and sound-too-long with
 * the `line`; entitlement `{reason: "tier"}`, with `need`, `limit` and `line` where a line is too long for the tier;
 * text-too-long where the line or the script is too long for every tier.
 */
export async function requireAllowed(
  { spending, speech, dictionaryOf }: RequestParts,
  owner: Owner,
  lines: LineRequest[],
): Promise<Allowance & { segments: number[] }> {
  const accountId = idOfOwner(owner);
  const dictionary = await dictionaryOf(accountId);
  const allowance = await spending.allowanceOf(accountId);
  requireScriptSize(lines, allowance);
  refuseLength(findScriptLengthFault(lines));
  const contents = lines.map(({ content }) => content);
  const examined = await speech.examineTexts(contents, { dictionary });
  const silent = examined.findIndex(({ isSpoken }) => !isSpoken);
  if (silent >= 0) throw new AppError("text-empty", "nothing to speak", { data: { line: silent } });
  const line = lines.findIndex(isProfessional);
  if (allowance.tier !== "svip" && line >= 0) {
    throw new AppError("entitlement", "parameters of professional members", { data: { reason: "tier", line } });
  }
  return { ...allowance, segments: examined.map(({ segments }) => segments) };
}

function requireScriptSize(lines: LineRequest[], allowance: Allowance) {
  const characters = lines.map(({ content }) => countCharacters(content));
  const excess = findScriptExcess(characters, allowance);
  if (!excess) return;
  const { need, limit, line } = excess;
  const isTop = allowance.tier === "svip" || limit === scriptCharactersMax;
  refuseCharacters(isTop, { need, limit, ...(line !== null && { line }) });
}

/** The tone recording of each line, null without one. Throws voice-missing and bad-request with the `line`. */
export async function findTones(parts: RequestParts, owner: Owner, lines: LineRequest[]) {
  const usable = new Map<string, boolean>();
  const tones: Array<string | null> = [];
  for (const [line, request] of lines.entries()) {
    const { roleId } = request;
    if (!usable.has(roleId)) usable.set(roleId, (await parts.roles.findUsable(owner, roleId)) !== null);
    if (!usable.get(roleId)) throw new AppError("voice-missing", "no such role", { data: { line } });
    tones.push(await findTone(parts, owner, request, line));
  }
  return tones;
}

export const keyOfLine = (line: LineSound): string => createHash("sha256").update(lineKey(line)).digest("base64url");

interface Cost {
  /** Characters to pay. */
  costChar: number;
  /** The numbers of their lines, from 0. */
  changed: number[];
}

/** A line that sounds like a line of a finished dub of the account is paid already, as is its repetition in one dub. */
export async function costOf(db: Db, owner: Owner, lines: LineSound[]): Promise<Cost> {
  const keys = lines.map(keyOfLine);
  const rows = await db
    .selectFrom("dub_line")
    .innerJoin("dub", "dub.id", "dub_line.dub_id")
    .select("line_key")
    .distinct()
    .where("dub.owner", "=", owner)
    .where("dub.status", "=", 2)
    .where("line_key", "in", keys)
    .execute();
  const paid = new Set(rows.map(({ line_key }) => line_key));
  const changed = keys.flatMap((key, number) => {
    if (paid.has(key)) return [];
    paid.add(key);
    return [number];
  });
  const costChar = changed.reduce((sum, number) => sum + countCharacters(lines[number]?.content ?? ""), 0);
  return { costChar, changed };
}
