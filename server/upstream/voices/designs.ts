import type { CallData, CallRequest } from "~server/contract/calls/table";
import { rankDesigns, readVoiceWords } from "../../speech/index";
import { AppError } from "../errors";

/** Designed voices for a description in words, the nearest first. Throws voice-of-person where it names somebody. */
export function listDesigns({ words, page, pageSize }: CallRequest<"voiceDesigns">): CallData<"voiceDesigns"> {
  const { traits, unread, asksForPerson } = readVoiceWords(words);
  if (asksForPerson) throw new AppError("voice-of-person", "the description names somebody");
  const ranked = rankDesigns(traits);
  const shown = ranked.slice((page - 1) * pageSize, page * pageSize);
  const list = shown.map(({ id, gender, pitchHz, tempo }) => ({ designId: id, gender, pitchHz, tempo }));
  return { list, total: ranked.length, unread };
}
