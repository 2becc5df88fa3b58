import { jsonRoute, readInput } from "~server/bff/json-route.server";
import { UpstreamRefusal } from "~server/bff/refusal.server";
import type { Upstream } from "~server/bff/upstream.server";
import { textOf } from "~server/bff/upstream-call.server";

type Input = Record<string, unknown>;

const posts: Record<string, (upstream: Upstream, input: Input) => unknown> = {
  /** The characters of `{content}` that have more than one reading, as `{list}`. */
  readings: (upstream, { content }) => upstream.call("readings", { content: textOf(content) }),
  /** A few characters in a role's voice, spoken as `tone` says, as `{sample}`. */
  samples: async (upstream, { content, roleId, tone }) => ({
    sample: await upstream.call("sample", {
      ...(typeof tone === "object" && tone),
      content: textOf(content),
      roleId: typeof roleId === "string" ? roleId : undefined,
    }),
  }),
  /** Adds `{word, pinyin}`; answers the dictionary afterwards. */
  dictionary: (upstream, { word, pinyin }) =>
    upstream.call("dictionaryPut", { word: textOf(word), pinyin: textOf(pinyin) }),
};

/** The account's dictionary, as `{list}`. */
export const loader = jsonRoute(({ params, context: { upstream } }) => {
  requirePart(params.part === "dictionary");
  return upstream.call("dictionary", {});
});

/** POST as in `posts`; DELETE `{word}` removes a word of the dictionary. */
export const action = jsonRoute({
  POST: async ({ request, params: { part = "" }, context: { upstream } }) => {
    requirePart(Object.hasOwn(posts, part));
    return posts[part]?.(upstream, await readInput(request));
  },
  DELETE: async ({ request, params, context: { upstream } }) => {
    requirePart(params.part === "dictionary");
    return upstream.call("dictionaryDelete", { word: textOf((await readInput(request)).word) });
  },
});

function requirePart(isKnown: boolean): void {
  if (!isKnown) throw new UpstreamRefusal({ code: "not-found" });
}
