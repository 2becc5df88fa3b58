import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { APIRequestContext } from "playwright";
import { bffPaths } from "~/bff-paths";
import { consentTexts } from "~/copy/consent";
import { consentStatementId } from "~server/contract/consent";
import { writeSpokenRecording } from "./spoken-recording";

const script = [
  ["沈砚", "天刚亮，菜市场已经热闹起来了。"],
  ["林小满", "老板，这一行都是新到的吗？#0.5#给我来两斤，重一点没关系。"],
  ["阿福", "都是今早五点到的，您看这叶子，还带着露水呢。"],
  ["沈砚", "她拎着两大袋菜，笑着走进了晨光里。"],
] as const;
const texts = [
  "大家好，今天和你聊聊清晨的菜市场：最新鲜的青菜，刚出锅的豆浆，还有一路的吆喝声。",
  "欢迎收听今晚的睡前故事，先把灯调暗一点，我们慢慢讲。",
];

/** What a member's pages are full of: a digital human of their own, clones and a dub, all finished. Takes half a minute. */
export async function furnish(request: APIRequestContext, origin: string): Promise<void> {
  const headers = () => ({ origin, "idempotency-key": randomUUID() });
  const post = async (path: string, data: object) => {
    const answer = await request.post(origin + path, { data, headers: headers() });
    if (!answer.ok()) throw new Error(`${path} answered ${answer.status()}: ${await answer.text()}`);
    return answer.json();
  };
  const get = async (path: string) => (await request.get(origin + path)).json();
  const square = await get(`${bffPaths.squareRoles}?page=1`);
  const idOf = (name: string): string => square.list.find((voice: { name: string }) => voice.name === name)?.roleId;

  await makeRole({ request, origin, post });
  for (const content of texts) await post(bffPaths.clones, { content, roleId: idOf("周老师"), speed: 1 });
  const lines = script.map(([name, content]) => ({ roleId: idOf(name), content }));
  const { dub } = await post(bffPaths.dubs, { title: "清晨的菜市场", lines });
  for (let status = 1; status === 1; ) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    ({ status } = (await get(`${bffPaths.dubs}?taskId=${dub.dubbId}`)).dub);
  }
}

interface Hands {
  request: APIRequestContext;
  origin: string;
  post(path: string, data: object): Promise<unknown>;
}

async function makeRole({ request, origin, post }: Hands) {
  const folder = mkdtempSync(join(tmpdir(), "reading-"));
  const file = join(folder, "reading.wav");
  const statement = consentTexts[consentStatementId];
  await writeSpokenRecording(file, statement);
  const audio = { name: "reading.wav", mimeType: "audio/wav", buffer: readFileSync(file) };
  rmSync(folder, { recursive: true });
  const uploaded = await request.post(origin + bffPaths.recordings, {
    multipart: { file: audio },
    headers: { origin },
  });
  const { voicePath } = (await uploaded.json()).recording;
  const consent = { statementId: consentStatementId, voicePath };
  const more = { describe: "清亮、亲切，适合短视频和课件", gender: "female", tags: ["亲切", "旁白"] };
  await post(bffPaths.roles, { name: "小雨", voicePath, transcript: statement, consent, ...more });
}
