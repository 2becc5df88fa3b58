import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type SpeechChunk, type SpeechEngine, SpeechError } from "~server/speech/engine";
import { createFallback } from "~server/speech/engines/fallback";
import { master } from "~server/speech/mastering";
import { createClone, waitForClone } from "../support/clone";
import { ruleEngines } from "../support/database";
import { createMember } from "../support/member";
import { createToneSpeech } from "../support/tone-engine";
import { firstRoleId, uploadVoice } from "../support/trial";
import { createVisitor, openTestUpstream, type TestUpstream } from "../support/upstream";

/** Two engines combined: `far` is first; the second one designs voices and is the fallback. */
async function openSpeech() {
  const tone = createToneSpeech();
  const near = await tone.engine();
  const state = { isAway: false };
  const { design: _, ...withoutDesign } = near;
  const far: SpeechEngine = {
    ...withoutDesign,
    id: "far",
    enroll: async () => ({ engine: "far", version: "1", parameters: { pitchHz: 330 } }),
    async *synthesize(request, signal) {
      if (state.isAway) throw new SpeechError("engine", "away");
      yield* near.synthesize(request, signal);
    },
  };
  const engine = createFallback({ engines: [far, near], designer: near, styles: { plain: "tone" }, failures: 99 });
  return {
    state,
    speech: { ...tone, engine: async () => engine, master: async (chunks: SpeechChunk[]) => master(chunks) },
  };
}

describe.each(ruleEngines)("several engines on %s", (database) => {
  let upstream: TestUpstream;
  let state: { isAway: boolean };
  beforeAll(async () => {
    const opened = await openSpeech();
    state = opened.state;
    upstream = await openTestUpstream(database, { speech: opened.speech });
    upstream.services.startWorker();
  });
  afterAll(() => upstream.close());
  beforeEach(() => {
    state.isAway = false;
  });

  /** Creates a clone and returns the engine that spoke it. */
  async function spokenBy(body: object) {
    const member = await createMember(upstream, "svip");
    const voicePath = "roleId" in body ? undefined : await uploadVoice(member);
    const { data } = await createClone(member, { ...(voicePath && { voicePath }), ...body });
    expect(await waitForClone(member, data.voiceId)).toMatchObject({ status: 2 });
    const db = upstream.database();
    const made = db.selectFrom("clone").innerJoin("rendition", "rendition.id", "clone.rendition_id");
    const row = await made.select("spoken_by").where("clone.id", "=", data.voiceId).executeTakeFirstOrThrow();
    return row.spoken_by;
  }

  it("are recorded per clone, and fallback segments are not cached", async () => {
    const text = "今天天气很好，我们出去走走。";
    state.isAway = true;
    expect(await spokenBy({ text })).toBe("tone@1");
    state.isAway = false;
    expect(await spokenBy({ text })).toBe("far@1");
    state.isAway = true;
    expect(await spokenBy({ text })).toBe("far@1");
  });

  it("are selected by style", async () => {
    expect(await spokenBy({ text: "换一个引擎来说这句话。", style: "plain" })).toBe("tone@1");
    expect(await spokenBy({ text: "换一个引擎来说这句话。", style: "whatever" })).toBe("far@1");
  });

  it("use the designer's engine for digital humans", async () => {
    const roleId = await firstRoleId(createVisitor(upstream.services));
    expect(await spokenBy({ content: "你好，很高兴见到你。", roleId })).toBe("tone@1");
  });
});
