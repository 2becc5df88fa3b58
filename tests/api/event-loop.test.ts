import { monitorEventLoopDelay } from "node:perf_hooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Call } from "~server/contract/calls/call";
import { calls } from "~server/contract/calls/table";
import {
  charactersFree,
  charactersSvip,
  contentMaxLength,
  jsonMaxBytes,
  scriptLinesMax,
} from "~server/contract/limits";
import { createEmbeddedEngine, type EmbeddedEngine } from "~server/speech/engines/embedded/engine";
import { createSpeechThreads, type SpeechThreads } from "~server/speech/threads/threads";
import { createMember } from "../support/member";
import { createToneSpeech } from "../support/tone-engine";
import { firstRoleId } from "../support/trial";
import { createVisitor, openTestUpstream, recordingForm, type TestUpstream } from "../support/upstream";

/** The target is 50 ms; the limit is higher because other tests use the same processors. */
const longestMs = 500;

const sentence = "银行行长在长江边说，重庆的都会发展得很好。";
const textOf = (characters: number) => sentence.repeat(Math.ceil(characters / sentence.length)).slice(0, characters);

describe("the event loop", () => {
  let upstream: TestUpstream;
  let threads: SpeechThreads;
  let engine: EmbeddedEngine;
  let roleId: string;
  beforeAll(async () => {
    threads = createSpeechThreads();
    engine = await createEmbeddedEngine({ processes: 1 });
    const { hear, hearAltered } = engine;
    const { prepareText, examineTexts, splitSegments, findPolyphones } = threads;
    const speech = {
      ...createToneSpeech(),
      prepareText,
      examineTexts,
      splitSegments,
      findPolyphones,
      hear,
      hearAltered,
    };
    upstream = await openTestUpstream("embedded", { speech });
    roleId = await firstRoleId(createVisitor(upstream.services));
    // The first requests load and compile code.
    await createVisitor(upstream.services).post("/script/readings", { content: sentence });
    await createVisitor(upstream.services).upload("/verify", recordingForm());
    await threads.examineTexts([sentence]);
  });
  afterAll(async () => {
    await upstream.close();
    await threads.close();
    await engine.close();
  });

  /** Longest block of the event loop during the action, in milliseconds. */
  async function heldBy(act: () => Promise<unknown>): Promise<number> {
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    await act();
    delay.disable();
    return delay.max / 1e6;
  }

  const anyone = Object.entries(calls as Record<string, Call>).filter(([, { caller }]) => caller !== "user");
  const texts = { content: textOf(contentMaxLength), text: textOf(contentMaxLength) };
  const filler = "行".repeat(Math.floor(jsonMaxBytes / 3) - 60_000);

  it.each(anyone)("is not blocked by %s with the largest input", async (_, { method, path, sends }) => {
    const visitor = createVisitor(upstream.services);
    const form = recordingForm();
    const held = await heldBy(async () => {
      if (sends === "multipart") return visitor.upload(path, form);
      if (method === "GET") return visitor.statusOf(`/api/v1${path}?keyword=${encodeURIComponent(textOf(2000))}`);
      for (const body of [
        { ...texts, roleId },
        { content: textOf(charactersFree), roleId, filler },
      ]) {
        await visitor.post(path, body);
      }
    });
    expect(held).toBeLessThan(longestMs);
  });

  it("is not blocked by the longest texts of members, nor by twenty of them at once", async () => {
    const member = await createMember(upstream, "svip");
    const content = textOf(charactersSvip);
    const readings = () => member.post("/script/readings", { content });
    expect(await heldBy(() => Promise.all(Array.from({ length: 20 }, readings)))).toBeLessThan(longestMs);
    const lines = Array.from({ length: scriptLinesMax }, (_, i) => ({ roleId, content: `${i}${textOf(90)}` }));
    expect(await heldBy(() => member.post("/dubbing/quote", { lines }))).toBeLessThan(longestMs);
    expect(await heldBy(() => member.post("/dubbing/create", { lines }))).toBeLessThan(2 * longestMs);
  });
});
