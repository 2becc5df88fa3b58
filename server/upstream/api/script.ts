import { Hono } from "hono";
import {
  dictionaryDeleteRequest,
  dictionaryPutRequest,
  readingsRequest,
  sampleRequest,
} from "~server/contract/calls/scripts";
import type { CallData } from "~server/contract/calls/table";
import { charactersFree, unitsPerCharacter } from "~server/contract/limits";
import { countCharacters } from "~server/contract/marks";
import { AppError } from "../errors";
import type { Dictionary } from "../scripts/dictionary";
import type { Samples } from "../scripts/samples";
import type { DictionaryEntry, Spending } from "../voices/ports";
import { type Auth, requireVisitor } from "./auth";
import { answer } from "./envelope";
import { parse, readJson } from "./parse";

/** The characters of a text with several readings. */
export type FindPolyphones = (
  content: string,
  options: { dictionary: readonly DictionaryEntry[] },
) => Promise<CallData<"readings">["list"]>;

interface ScriptRouteParts {
  dictionary: Dictionary;
  samples: Pick<Samples, "speak">;
  allowanceOf: Spending["allowanceOf"];
  findPolyphones: FindPolyphones;
  auth: Auth;
}

/** Readings of a script: polyphones, dictionary and samples. */
export function createScriptRoutes({ dictionary, samples, allowanceOf, findPolyphones, auth }: ScriptRouteParts) {
  return new Hono()
    .post("/script/readings", async (c) => {
      const account = await auth.findAccount(c);
      if (account === null) requireVisitor(c);
      const { content } = parse(readingsRequest, await readJson(c));
      requireLength(content, account === null ? charactersFree : (await allowanceOf(account)).limit);
      const words = account === null ? [] : await dictionary.of(account);
      return answer(c, { list: await findPolyphones(content, { dictionary: words }) });
    })
    .get("/script/dictionary", async (c) => answer(c, await dictionary.list(await auth.requireAccount(c))))
    .post("/script/dictionary/put", async (c) => {
      const account = await auth.requireAccount(c);
      return answer(c, await dictionary.put(account, parse(dictionaryPutRequest, await readJson(c))));
    })
    .post("/script/dictionary/del", async (c) => {
      const account = await auth.requireAccount(c);
      return answer(c, await dictionary.remove(account, parse(dictionaryDeleteRequest, await readJson(c)).word));
    })
    .post("/script/sample", async (c) => {
      const account = await auth.requireAccount(c);
      return answer(c, await samples.speak(account, parse(sampleRequest, await readJson(c))));
    });
}

/** Throws text-too-long for more than the caller may have spoken. */
function requireLength(content: string, limit: number) {
  if (content.length <= limit * unitsPerCharacter && countCharacters(content) <= limit) return;
  throw new AppError("text-too-long", "more characters than the tier speaks at a time", { data: { limit } });
}
