/**
 * A fake sherpa-onnx-node with the same calls: plays one tone per character, sentence by sentence, says "hiss" as noise
 * the first two times and "static" always, and aborts the process if the folder contains a file named "corrupt", as the real addon does for a corrupt model.
 */
export const fakeAddon = `
const { existsSync } = require("node:fs");
const { dirname, join } = require("node:path");
const sampleRate = 24000;
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

class GenerationConfig {
  constructor(settings) { Object.assign(this, settings); }
}

class OfflineTts {
  static async createAsync({ model }) {
    if (existsSync(join(dirname(model.zipvoice.tokens), "corrupt"))) process.abort();
    return new OfflineTts();
  }
  sampleRate = sampleRate;
  noises = 0;
  async generateAsync({ text, generationConfig, onProgress }) {
    if (text.includes("static") || (text.includes("hiss") && this.noises++ < 2)) {
      const samples = Float32Array.from({ length: sampleRate }, () => 0.3 * (2 * Math.random() - 1));
      onProgress({ samples, progress: 1 });
      return { samples, sampleRate };
    }
    if (!(generationConfig.referenceAudio?.length > 0 && generationConfig.referenceText)) {
      throw new Error("zipvoice wants a reference");
    }
    const parts = [];
    for (const sentence of text.split(/(?<=[。！？])/)) {
      const count = [...sentence].filter((c) => /[\\p{L}\\p{N}\\p{Co}]/u.test(c)).length;
      await sleep(20 * count);
      const samples = Float32Array.from({ length: Math.round((count * 0.18 * sampleRate) / generationConfig.speed) }, (_, i) =>
        0.4 * Math.sin((2 * Math.PI * 220 * i) / sampleRate));
      parts.push(samples);
      if (!onProgress({ samples, progress: 1 })) break;
    }
    const whole = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) { whole.set(part, at); at += part.length; }
    return { samples: whole, sampleRate };
  }
}
/** Hears the same words in every recording. */
class OfflineRecognizer {
  static async createAsync({ modelConfig }) {
    if (!existsSync(modelConfig.senseVoice.model)) throw new Error("no model");
    return new OfflineRecognizer();
  }
  createStream() { return { acceptWaveform({ samples }) { this.samples = samples; } }; }
  async decodeAsync(stream) { if (!(stream.samples?.length > 0)) throw new Error("no samples"); }
  getResult() { return { text: "希望你以后能够做得比我还好。", lang: "<|zh|>" }; }
}
module.exports = { OfflineTts, OfflineRecognizer, GenerationConfig };
`;
