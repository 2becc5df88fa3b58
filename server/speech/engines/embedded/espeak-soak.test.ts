import { afterAll, expect, it } from "vitest";
import { mixedSentences } from "../../../../tests/support/sentences";
import { prepareText } from "../../chinese/prepare";
import { createEspeak } from "./espeak-process";
import { splitClauses } from "./reading/clauses";
import { toMarkup } from "./reading/source";

/** `ESPEAK_SENTENCES=2000` for a long run. */
const count = Number(process.env.ESPEAK_SENTENCES ?? 240);
const reports: string[] = [];
const espeak = createEspeak({ report: (line) => reports.push(line) });
afterAll(() => espeak.close());

it("one eSpeak process speaks shuffled sentences, and each of them the same in every turn", async () => {
  const first = new Map<string, { phonemes: string; samples: number }>();
  for (const text of mixedSentences(count)) {
    for (const { units, ending } of splitClauses(prepareText(text).units, 1)) {
      const { text: markup } = toMarkup(units, ending);
      const { pcm, phonemes } = await espeak.speak({ markup, rate: 224, range: 80 });
      const spoken = { phonemes: phonemes.map(({ ipa }) => ipa).join(" "), samples: pcm.length };
      const known = first.get(markup) ?? spoken;
      first.set(markup, known);
      expect({ markup, phonemes: spoken.phonemes }).toEqual({ markup, phonemes: known.phonemes });
      expect(Math.abs(spoken.samples / known.samples - 1)).toBeLessThan(0.05);
    }
  }
  expect(reports).toEqual([]);
});
