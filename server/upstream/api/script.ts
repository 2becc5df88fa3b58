import { Hono, type MiddlewareHandler } from "hono";
import {
  dictionaryDeleteRequest,
  dictionaryPutRequest,
  readingsRequest,
  sampleRequest,
} from "~server/contract/calls/script";
import type { CallData } from "~server/contract/calls/table";
import type { Dictionary } from "../scripts/dictionary";
import type { Samples } from "../scripts/samples";
import type { DictionaryEntry } from "../voices/ports";
import type { Auth } from "./auth";
import { requireVisitor } from "./caller";
import { answer } from "./envelope";
import { parse, readJson } from "./parse";

export interface ScriptRouteParts {
  dictionary: Dictionary;
  samples: Pick<Samples, "speak">;
  /** The characters of a text that can be read in more than one way. */
  findPolyphones(content: string, options: { dictionary: readonly DictionaryEntry[] }): CallData<"readings">["list"];
}

interface Guards {
  auth: Auth;
  rateGuard: MiddlewareHandler;
}

/** How a script is read. */
export function createScriptRoutes({
  dictionary,
  samples,
  findPolyphones,
  auth,
  rateGuard,
}: ScriptRouteParts & Guards) {
  return new Hono()
    .post("/script/readings", async (c) => {
      const account = await auth.findAccount(c);
      if (account === null) requireVisitor(c);
      const { content } = parse(readingsRequest, await readJson(c));
      const words = account === null ? [] : await dictionary.of(account);
      return answer(c, { list: findPolyphones(content, { dictionary: words }) });
    })
    .get("/script/dictionary", async (c) => answer(c, await dictionary.list(await auth.requireAccount(c))))
    .post("/script/dictionary/put", rateGuard, async (c) => {
      const account = await auth.requireAccount(c);
      return answer(c, await dictionary.put(account, parse(dictionaryPutRequest, await readJson(c))));
    })
    .post("/script/dictionary/del", async (c) => {
      const account = await auth.requireAccount(c);
      return answer(c, await dictionary.remove(account, parse(dictionaryDeleteRequest, await readJson(c)).word));
    })
    .post("/script/sample", rateGuard, async (c) => {
      const account = await auth.requireAccount(c);
      return answer(c, await samples.speak(account, parse(sampleRequest, await readJson(c))));
    });
}
