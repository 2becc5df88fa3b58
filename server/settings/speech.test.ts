import { describe, expect, it } from "vitest";
import { z } from "zod/v4";
import { speechEnvironment, speechFaults, speechOf } from "./speech";

const read = (env: Record<string, string>) => z.object(speechEnvironment).parse(env);

describe("the speech settings", () => {
  it("default to the embedded engine", () => {
    expect(speechFaults(read({}))).toEqual([]);
    expect(speechOf(read({ SPEECH_ENGINES: "" }))).toEqual({ engines: [{ name: "embedded" }], styles: {} });
  });

  it("keep the order of the engines, each once, with their parameters", () => {
    const settings = read({
      SPEECH_ENGINES: "cosyvoice, openai embedded cosyvoice",
      SPEECH_STYLES: "story=openai",
      COSYVOICE_URL: "http://gpu:50000/",
      COSYVOICE_GENERATION: "3",
      OPENAI_SPEECH_URL: "https://tts.example/v1/",
      OPENAI_SPEECH_MODEL: "qwen3",
      OPENAI_SPEECH_CONCURRENCY: "8",
    });
    expect(speechFaults(settings)).toEqual([]);
    expect(speechOf(settings)).toEqual({
      engines: [
        { name: "cosyvoice", url: "http://gpu:50000", generation: 3, concurrency: 2, timeoutMs: 30_000 },
        {
          name: "openai",
          url: "https://tts.example",
          apiKey: undefined,
          model: "qwen3",
          voice: undefined,
          streamRate: 0,
          concurrency: 8,
          timeoutMs: 30_000,
        },
        { name: "embedded" },
      ],
      styles: { story: "openai" },
    });
  });

  it("report every fault", () => {
    const settings = read({
      SPEECH_ENGINES: "cosyvoice,gpt-sovits,festival",
      SPEECH_STYLES: "story=openai",
      COSYVOICE_URL: "ftp://gpu",
    });
    expect(speechFaults(settings)).toEqual([
      expect.stringMatching(/"festival"; there are embedded, openai/),
      "GPT_SOVITS_URL is missing: SPEECH_ENGINES names gpt-sovits",
      "GPT_SOVITS_FOLDER is missing: SPEECH_ENGINES names gpt-sovits",
      "COSYVOICE_URL is not an http(s) URL",
      expect.stringMatching(/^SPEECH_STYLES has "story=openai"/),
    ]);
  });
});
