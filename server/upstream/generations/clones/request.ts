import type { CallRequest } from "~server/contract/calls/table";
import { findLengthFault } from "~server/contract/length-limits";
import { countCharacters } from "~server/contract/marks";
import { AppError, refuseLength } from "../../errors";
import type { Allowance, Owner } from "../../voices/ports";
import { accountIdOf, type CloneParts } from "./parts";

export type CloneRequest = CallRequest<"cloneCreate">;

type Delivery = Pick<CloneRequest, "genre" | "ext" | "emotionPath" | "pitch" | "volume">;

/**
 * What the account's tier lets it do with this text and these parameters, as it is now. Throws text-empty, pauses-too-long,
 * sound-too-long, and entitlement `{reason: "tier"}`, with `need` and `limit` where the text is too long.
 */
export async function requireAllowed(
  { spending, speech, dictionaryOf }: Pick<CloneParts, "spending" | "speech" | "dictionaryOf">,
  owner: Owner,
  request: Pick<CloneRequest, "content" | "speed"> & Delivery,
): Promise<Allowance & { characters: number }> {
  const accountId = accountIdOf(owner);
  const { content } = request;
  const characters = countCharacters(content);
  if (characters === 0) throw new AppError("text-empty", "nothing to speak");
  const allowance = await spending.allowanceOf(accountId);
  if (allowance.tier !== "svip" && isProfessional(request)) {
    throw new AppError("entitlement", "parameters of professional members", { data: { reason: "tier" } });
  }
  const { limit } = allowance;
  if (characters > limit) {
    const data = { reason: "tier", need: characters, limit };
    throw new AppError("entitlement", "more characters than the tier speaks at a time", { data });
  }
  refuseLength(findLengthFault(request));
  const [examined] = await speech.examineTexts([content], { dictionary: await dictionaryOf(accountId) });
  if (!examined?.isSpoken) throw new AppError("text-empty", "nothing of it can be spoken");
  return { ...allowance, characters };
}

/** Parameters that stand where they always stand change nothing, and are everybody's. */
function isProfessional({ genre, ext, emotionPath, pitch, volume }: Delivery): boolean {
  const isFelt = Object.values(ext ?? {}).some((weight) => weight !== undefined && weight !== 0);
  return genre !== 0 || isFelt || Boolean(emotionPath) || Boolean(pitch) || Boolean(volume);
}

/** Whose voice and tone it is. Throws voice-missing, and bad-request where a tone was asked for and not given. */
export async function findVoices(
  { recordings, roles }: Pick<CloneParts, "recordings" | "roles">,
  owner: Owner,
  { voicePath, roleId, genre, emotionPath }: Pick<CloneRequest, "voicePath" | "roleId" | "genre" | "emotionPath">,
) {
  const recording_id = voicePath ? await recordings.findId(owner, voicePath) : null;
  const role = !voicePath && roleId ? await roles.findUsable(owner, roleId) : null;
  if (!recording_id && !role) throw new AppError("voice-missing", "neither an own recording nor a usable role");
  const role_id = role?.id ?? null;
  if (genre === 1 && emotionPath === undefined) {
    const data = { fields: ["emotionPath"] };
    throw new AppError("bad-request", "no recording to take the tone from", { status: 400, data });
  }
  const tone_id = emotionPath ? await recordings.findId(owner, emotionPath) : null;
  if (genre === 1 && !tone_id) throw new AppError("voice-missing", "the tone's recording is not the caller's");
  return { recording_id, role_id, tone_id };
}
