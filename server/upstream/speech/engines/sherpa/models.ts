import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

export type SherpaFamily = "zipvoice" | "kokoro" | "matcha" | "vits";

export interface SherpaModel {
  family: SherpaFamily;
  /** True if the family supports cloning. */
  clones: boolean;
  /** Configuration of `OfflineTts`. */
  config: Record<string, unknown>;
}

const threads = 2;
/** Optional text normalisation rules of some models. */
const ruleNames = ["phone.fst", "date.fst", "number.fst"];

/** Detects the model in a folder by the file names of sherpa-onnx's release archives; null if unknown. */
export function findModel(folder: string): SherpaModel | null {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const find = (...shapes: RegExp[]) => {
    for (const shape of shapes) {
      const name = names.find((candidate) => shape.test(candidate));
      if (name) return join(folder, name);
    }
    return "";
  };
  const tokens = find(/^tokens\.txt$/);
  const espeak = names.includes("espeak-ng-data") ? { dataDir: join(folder, "espeak-ng-data") } : {};
  const lexicons = names.filter((name) => /^lexicon.*\.txt$/.test(name)).map((name) => join(folder, name));
  const lexicon = lexicons.join(",");
  const parts = { find, tokens, lexicon, espeak };
  const found = zipVoice(parts) ?? kokoro(parts) ?? matcha(parts) ?? vits(parts);
  if (!found || !tokens) return null;
  const rules = ruleNames.filter((name) => names.includes(name)).map((name) => join(folder, name));
  return {
    family: found.family,
    clones: found.family === "zipvoice",
    config: {
      model: { [found.family]: found.parts, numThreads: threads, provider: "cpu", debug: false },
      ...(rules.length > 0 && { ruleFsts: rules.join(",") }),
      // One callback per sentence, for streaming and cancellation.
      maxNumSentences: 1,
    },
  };
}

interface Parts {
  find(...shapes: RegExp[]): string;
  tokens: string;
  lexicon: string;
  espeak: { dataDir?: string };
}

type Found = { family: SherpaFamily; parts: Record<string, string> } | null;

function zipVoice({ find, tokens, lexicon, espeak }: Parts): Found {
  const encoder = find(/^(text_)?encoder.*int8.*\.onnx$/, /^(text_)?encoder.*\.onnx$/);
  const decoder = find(/^(fm_)?decoder.*int8.*\.onnx$/, /^(fm_)?decoder.*\.onnx$/);
  const vocoder = find(/^vocos.*\.onnx$/);
  return encoder && decoder && vocoder
    ? { family: "zipvoice", parts: { tokens, encoder, decoder, vocoder, lexicon, ...espeak } }
    : null;
}

function kokoro({ find, tokens, lexicon, espeak }: Parts): Found {
  const [model, voices] = [find(/^model.*int8.*\.onnx$/, /^model.*\.onnx$/), find(/^voices\.bin$/)];
  return model && voices ? { family: "kokoro", parts: { model, voices, tokens, lexicon, ...espeak } } : null;
}

function matcha({ find, tokens, lexicon, espeak }: Parts): Found {
  const acousticModel = find(/^model-steps-\d+\.onnx$/);
  const vocoder = find(/^(vocos|hifigan).*\.onnx$/);
  return acousticModel && vocoder
    ? { family: "matcha", parts: { acousticModel, vocoder, lexicon, tokens, ...espeak } }
    : null;
}

function vits({ find, tokens, lexicon, espeak }: Parts): Found {
  const model = find(/^(model|.*vits.*|.*)\.int8\.onnx$/, /\.onnx$/);
  return model ? { family: "vits", parts: { model, lexicon, tokens, ...espeak } } : null;
}
