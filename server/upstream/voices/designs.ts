import type { CallData, CallRequest } from "~server/contract/calls/table";
import { AppError } from "../errors";
import type { SpeechParts } from "./ports";

/** Designed voices for a description in words, the nearest first. Throws voice-of-person where it names a person. */
export function listDesigns(
  designs: SpeechParts["designs"],
  { words, page, pageSize }: CallRequest<"voiceDesigns">,
): CallData<"voiceDesigns"> {
  const { voices, unread, asksForPerson } = designs.search(words);
  if (asksForPerson) throw new AppError("voice-of-person", "the description names a person");
  const shown = voices.slice((page - 1) * pageSize, page * pageSize);
  const list = shown.map(({ id, gender, pitchHz, tempo }) => ({ designId: id, gender, pitchHz, tempo }));
  return { list, total: voices.length, unread };
}
