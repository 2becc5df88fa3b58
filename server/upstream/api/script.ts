import type { CallData } from "~server/contract/calls/table";
import { charactersFree, unitsPerCharacter } from "~server/contract/limits";
import { countCharacters } from "~server/contract/marks";
import { AppError } from "../errors";
import type { Dictionary } from "../scripts/dictionary";
import type { Samples } from "../scripts/samples";
import type { DictionaryEntry, Spending } from "../voices/ports";
import type { Auth } from "./auth";
import { createCallRoutes } from "./calls";

/** The characters of a text with several readings. */
export type FindPolyphones = (
  content: string,
  options: { dictionary: readonly DictionaryEntry[] },
) => Promise<CallData<"readings">["list"]>;

export interface ScriptRouteParts {
  dictionary: Dictionary;
  samples: Pick<Samples, "speak">;
  allowanceOf: Spending["allowanceOf"];
  findPolyphones: FindPolyphones;
}

/** Readings of a script: polyphones, dictionary and samples. */
export const createScriptRoutes = (
  { dictionary, samples, allowanceOf, findPolyphones }: ScriptRouteParts,
  auth: Auth,
) =>
  createCallRoutes(auth, {
    async readings({ content }, { c }) {
      const account = await auth.findAccount(c);
      requireLength(content, account === null ? charactersFree : (await allowanceOf(account)).limit);
      const words = account === null ? [] : await dictionary.of(account);
      return { list: await findPolyphones(content, { dictionary: words }) };
    },
    dictionary: (_, { accountId }) => dictionary.list(accountId),
    dictionaryPut: (entry, { accountId }) => dictionary.put(accountId, entry),
    dictionaryDelete: ({ word }, { accountId }) => dictionary.remove(accountId, word),
    sample: (request, { accountId }) => samples.speak(accountId, request),
  });

/** Throws text-too-long for more than the caller may have spoken. */
function requireLength(content: string, limit: number) {
  if (content.length <= limit * unitsPerCharacter && countCharacters(content) <= limit) return;
  throw new AppError("text-too-long", "more characters than the tier speaks at a time", { data: { limit } });
}
