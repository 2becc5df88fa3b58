import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import type { APIRequestContext } from "playwright";
import { bffPaths } from "~/call";
import { consentTexts } from "~/copy/recording";
import { consentStatementId } from "~server/contract/consent";
import { randomPortrait } from "~server/portrait/random-portrait";
import { createRandom } from "../sounds";

const scenes = [
  {
    title: "清晨的菜市场",
    lines: [
      ["沈砚", "天刚亮，菜市场已经热闹起来了。"],
      ["林小满", "老板，这一行都是新到的吗？#0.5#给我来两斤，重一点没关系。"],
      ["阿福", "都是今早五点到的，您看这叶子，还带着露水呢。"],
      ["沈砚", "她拎着两大袋菜，笑着走进了晨光里。"],
    ],
  },
  {
    title: "课文《桂林山水》",
    lines: [
      ["周老师", "漓江的水真静啊，静得让你感觉不到它在流动。"],
      ["周老师", "桂林的山真奇啊，一座座拔地而起，各不相连。"],
    ],
  },
  {
    title: "五一促销口播",
    lines: [
      ["阿福", "各位街坊，本周六全场八折！"],
      ["阿福", "买满一百元再送一袋新米，欢迎来逛！"],
    ],
  },
] as const;

const texts = [
  "春天来了，公园里的花都开了，孩子们在草地上奔跑。",
  "各位街坊，本周六全场八折，买满一百元再送一袋新米，欢迎来逛！",
  "欢迎收听今晚的睡前故事，先把灯调暗一点，我们慢慢讲。",
  "大家好，今天和你聊聊清晨的菜市场：最新鲜的青菜，刚出锅的豆浆，还有一路的吆喝声。",
] as const;

const roles = [
  { name: "陈伯", gender: "male", describe: "慢慢讲，适合老街和老手艺的故事", tags: ["沉稳", "旁白"] },
  { name: "阿宁", gender: "female", describe: "轻快，适合开箱和探店", tags: ["活泼"] },
  { name: "小雨", gender: "female", describe: "清亮、亲切，适合短视频和课件", tags: ["亲切", "旁白"] },
] as const;

/** Creates a member's digital humans, clones and dubs, and waits until they are finished. */
export async function createMemberContent(
  request: APIRequestContext,
  origin: string,
  consentFile: string,
): Promise<void> {
  const post = async (path: string, data: object) => {
    const answer = await request.post(origin + path, { data, headers: { origin, "idempotency-key": randomUUID() } });
    if (!answer.ok()) throw new Error(`${path} answered ${answer.status()}: ${await answer.text()}`);
    return answer.json();
  };
  const read = async (path: string) => (await request.get(origin + path)).json();
  const square = await readVoices(read);
  const idOf = (name: string) => square.find((voice) => voice.name === name)?.roleId;

  await makeRoles({ request, origin, post }, consentFile);
  for (const content of texts) await post(bffPaths.clones, { content, roleId: idOf("周老师"), speed: 1 });
  for (const { title, lines } of [...scenes].reverse()) {
    const wanted = lines.map(([name, content]) => ({ roleId: idOf(name), content }));
    const { dub } = await post(bffPaths.dubs, { title, lines: wanted });
    await until(async () => (await read(bffPaths.dub(dub.dubbId))).dub.status !== 1);
  }
}

interface Named {
  name: string;
  roleId: string;
}

async function readVoices(read: (path: string) => Promise<{ voices: Named[]; total: number }>): Promise<Named[]> {
  const found: Named[] = [];
  for (let page = 1; ; page++) {
    const { voices, total } = await read(`${bffPaths.squareVoices}?page=${page}`);
    found.push(...voices);
    if (voices.length === 0 || found.length >= total) return found;
  }
}

interface Session {
  request: APIRequestContext;
  origin: string;
  post(path: string, data: object): Promise<unknown>;
}

async function makeRoles({ request, origin, post }: Session, consentFile: string) {
  const audio = { name: "reading.wav", mimeType: "audio/wav", buffer: readFileSync(consentFile) };
  const uploaded = await request.post(origin + bffPaths.upload("recordingUpload"), {
    multipart: { file: audio },
    headers: { origin },
  });
  const { voicePath } = await uploaded.json();
  const consent = { statementId: consentStatementId, voicePath };
  const transcript = consentTexts[consentStatementId];
  for (const [seed, role] of roles.entries()) {
    const portrait = randomPortrait(role.gender, createRandom(seed + 1));
    await post(bffPaths.passed("roleCreate"), { ...role, voicePath, transcript, consent, portrait });
  }
}

async function until(isDone: () => Promise<boolean>) {
  const deadline = Date.now() + 120_000;
  while (!(await isDone())) {
    if (Date.now() > deadline) throw new Error("A dub did not finish");
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}
