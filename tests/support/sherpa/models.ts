import { copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeEspeakData } from "../../../server/speech/models/espeak-data";
import { modelSets } from "../../../server/speech/models/manifest";
import { sha256Of, startMirror } from "../model-mirror";

const packages = fileURLToPath(new URL("../../node_modules", import.meta.url));
const at = (name: string) => fileURLToPath(new URL(`./${name}`, import.meta.url));

/** False where sherpa-onnx-node has no build for this machine. */
export const hasSherpaAddon = ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64", "win-x64"].some((platform) =>
  existsSync(join(packages, `sherpa-onnx-${platform}`)),
);

const initials = "b p m f d t n l g k h j q x zh ch sh r z c s y w".split(" ");
const finals =
  "a ai an ang ao e ei en eng er i ia ian iang iao ie in ing iong iu o ong ou u ua uai uan uang ue ui un uo v ve".split(
    " ",
  );
/** Punctuation, letters and sounds of English; syllables have numbers from `firstSyllableToken` on. */
const others = [..." ,.?!;:'-", ..."abcdefghijklmnopqrstuvwxyz", ..."ɪəɛʊɑɔæʌθðŋʃʒɹˈˌː0123456789"];
const firstSyllableToken = 100;

/** The tokens of a model as released, each with its number. */
export const modelTokens: ReadonlyMap<string, number> = new Map([
  ...others.map((token, i) => [token, i] as const),
  ...[
    ...initials.map((initial) => `${initial}0`),
    ...finals.flatMap((final) => [1, 2, 3, 4, 5].map((t) => final + t)),
  ].map((token, i) => [token, firstSyllableToken + i] as const),
]);

export const tokensText = [...modelTokens].map(([token, number]) => `${token} ${number}\n`).join("");

/**
 * Files of a ZipVoice model with the inputs and outputs of the real one and hardly any weights. Its sound is noise of the
 * right length; with `checksum` the number of its frames tells the syllables that reached the encoder.
 */
export function zipVoiceFiles({ checksum = false } = {}): Record<string, string> {
  return {
    "encoder.int8.onnx": at(checksum ? "checksum-encoder.onnx" : "encoder.int8.onnx"),
    "decoder.int8.onnx": at("decoder.int8.onnx"),
    "vocos_24khz.onnx": at("vocos_24khz.onnx"),
  };
}

/** A mirror that serves the small ZipVoice model, and the settings of a product that installs it instead of the real one. */
export async function startZipVoiceMirror(dataDir: string) {
  const files: Array<[string, Uint8Array]> = [
    ...Object.entries(zipVoiceFiles()).map(([name, path]): [string, Uint8Array] => [name, readFileSync(path)]),
    ["tokens.txt", new TextEncoder().encode(tokensText)],
  ];
  const mirror = await startMirror(Object.fromEntries(files.map(([name, bytes]) => [`zipvoice/${name}`, bytes])));
  const described = files.map(([name, bytes]) => ({ name, bytes: bytes.length, sha256: sha256Of(bytes) }));
  const manifest = join(dataDir, "models.json");
  writeFileSync(manifest, JSON.stringify({ zipvoice: { ...modelSets.zipvoice, files: described } }));
  return { mirror, settings: { DATA_DIR: dataDir, VOICES_MIRROR: mirror.url, VOICES_MANIFEST: manifest } };
}

/** Puts the real addon of the tests where the installation of a model would put it. */
export function linkSherpaAddon(folder: string): void {
  mkdirSync(folder, { recursive: true });
  symlinkSync(packages, join(folder, "node_modules"));
}

/** Makes a folder with a small ZipVoice model, eSpeak's data and the real addon. */
export function makeZipVoice(folder: string, options: { checksum?: boolean } = {}): string {
  mkdirSync(folder, { recursive: true });
  for (const [name, path] of Object.entries(zipVoiceFiles(options))) copyFileSync(path, join(folder, name));
  writeFileSync(join(folder, "tokens.txt"), tokensText);
  writeEspeakData(join(folder, "espeak-ng-data"));
  symlinkSync(packages, join(folder, "node_modules"));
  return folder;
}

const senseVoiceTokens = ["<unk>", "<|zh|>", "<|NEUTRAL|>", "<|Speech|>", "<|withitn|>", ..."今天天气真好。啊啊啊"];

/**
 * Makes a folder with a small SenseVoice recogniser and the real addon. It reads a character of 今天天气真好。 for every
 * quarter of a second that is loud, by the time in the sound.
 */
export function makeRecogniser(folder: string): string {
  const own = join(folder, "sense-voice");
  mkdirSync(own, { recursive: true });
  copyFileSync(at("sense-voice.onnx"), join(own, "model.int8.onnx"));
  writeFileSync(join(own, "tokens.txt"), senseVoiceTokens.map((token, i) => `${token} ${i}\n`).join(""));
  if (!existsSync(join(folder, "node_modules"))) symlinkSync(packages, join(folder, "node_modules"));
  return own;
}

/** Makes a folder with a small speaker model, whose vector is the mean square of the filter bank, and the real addon. */
export function makeSpeakerModel(folder: string): string {
  const own = join(folder, "campplus");
  mkdirSync(own, { recursive: true });
  copyFileSync(at("speaker-embedding.onnx"), join(own, "3dspeaker_speech_campplus.onnx"));
  if (!existsSync(join(folder, "node_modules"))) symlinkSync(packages, join(folder, "node_modules"));
  return own;
}

const checksumPrime = 1021;
/** The inverse transform yields one frame less. */
const fixedFrames = 8;
const samplesPerFrame = 256;

/** The length of the sound that the checksum encoder makes of these tokens, in samples. */
export function checksumSamples(tokens: readonly string[]): number {
  const numbers = tokens.map((token) => modelTokens.get(token) ?? Number.NaN);
  const sum = numbers.reduce((total, number, i) => total + number * (7 * (i + 1) + 3), 0);
  return ((sum % checksumPrime) + fixedFrames - 1) * samplesPerFrame;
}
