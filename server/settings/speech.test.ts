import { describe, expect, it } from "vitest";
import { z } from "zod/v4";
import { speechEnvironment, speechFaults, speechOf } from "./speech";

const read = (env: Record<string, string>) => z.object(speechEnvironment).parse(env);

describe("the speech settings", () => {
  it("default to the embedded engine", () => {
    expect(speechFaults(read({}))).toEqual([]);
    expect(speechOf(read({ SPEECH_ENGINES: "" }))).toMatchObject({ engines: [{ name: "embedded" }], styles: {} });
  });

  it("put an installed voice model in front of the embedded engine unless engines are named", () => {
    const installed = { cloner: "/data/models/zipvoice", hasCloner: true, recogniser: "/data/models/sense-voice" };
    const sherpa = { name: "sherpa", folder: installed.cloner, isInstallable: true };
    expect(speechOf(read({}), installed).listening).toEqual({ recogniser: installed.recogniser, speaker: undefined });
    expect(speechOf(read({}), installed).engines).toMatchObject([sherpa, { name: "embedded" }]);
    expect(speechOf(read({ SPEECH_ENGINES: "embedded" }), installed).engines).toEqual([{ name: "embedded" }]);
    expect(speechFaults(read({ SPEECH_ENGINES: "sherpa" }), installed)).toEqual([]);
    expect(speechFaults(read({ SPEECH_ENGINES: "sherpa" }), { ...installed, hasCloner: false })).toEqual([
      expect.stringMatching(/SHERPA_FOLDER/),
    ]);
  });

  it("list the models to install and their mirrors", () => {
    const settings = read({ VOICES: "zipvoice, sense-voice", VOICES_MIRROR: "http://mirror ftp://old" });
    expect(speechOf(settings)).toMatchObject({ wantedModels: ["zipvoice", "sense-voice"] });
    expect(speechFaults(settings)).toEqual([expect.stringMatching(/VOICES_MIRROR has "ftp:\/\/old"/)]);
  });

  it("let Kokoro come by itself where it would speak, and nothing else", () => {
    const installed = { kokoro: ["/data/models/kokoro-full", "/data/models/kokoro"] };
    const kokoro = { name: "kokoro", folders: installed.kokoro };
    const wanted = (env: Record<string, string>) => speechOf(read(env), installed);
    expect(wanted({})).toMatchObject({ wantedModels: ["kokoro"], isUnasked: true });
    expect(wanted({}).engines).toEqual([kokoro, { name: "embedded" }]);
    expect(wanted({ VOICES: "none" })).toMatchObject({ wantedModels: [], isUnasked: false });
    expect(wanted({ VOICES: "kokoro-full" })).toMatchObject({ wantedModels: ["kokoro-full"], isUnasked: false });
    expect(wanted({ SPEECH_ENGINES: "embedded" })).toMatchObject({ wantedModels: [] });
    expect(wanted({ SPEECH_ENGINES: "kokoro,embedded" })).toMatchObject({ wantedModels: ["kokoro"] });
    const { engines } = speechOf(read({ DASHSCOPE_API_KEY: "1" }), { ...installed, cloner: "/data/models/zipvoice" });
    expect(engines.map(({ name }) => name)).toEqual(["sherpa", "dashscope", "kokoro", "embedded"]);
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
      isChecked: true,
      listening: {},
      wantedModels: [],
      isUnasked: true,
      mirrors: [],
    });
  });

  it("put a vendor in front of the embedded engine by its key alone", () => {
    const settings = read({ DASHSCOPE_API_KEY: "sk-1", MINIMAX_API_KEY: "2", MINIMAX_URL: "https://api.minimax.io/" });
    expect(speechFaults(settings)).toEqual([]);
    const limits = { concurrency: 2, timeoutMs: 30_000 };
    expect(speechOf(settings).engines).toEqual([
      {
        name: "dashscope",
        url: "https://dashscope.aliyuncs.com/api/v1",
        apiKey: "sk-1",
        model: "cosyvoice-v3.5-flash",
        ...limits,
      },
      { name: "minimax", url: "https://api.minimax.io", apiKey: "2", model: "speech-2.8-hd", ...limits },
      { name: "embedded" },
    ]);
  });

  it("report every fault", () => {
    const settings = read({
      SPEECH_ENGINES: "cosyvoice,gpt-sovits,festival",
      SPEECH_STYLES: "story=openai",
      COSYVOICE_URL: "ftp://gpu",
    });
    expect(speechFaults(settings)).toEqual([
      expect.stringMatching(/"festival"; there are embedded, kokoro, openai/),
      "GPT_SOVITS_URL is missing: SPEECH_ENGINES names gpt-sovits",
      "GPT_SOVITS_FOLDER is missing: SPEECH_ENGINES names gpt-sovits",
      "COSYVOICE_URL is not an http(s) URL",
      expect.stringMatching(/^SPEECH_STYLES has "story=openai"/),
    ]);
  });
});
