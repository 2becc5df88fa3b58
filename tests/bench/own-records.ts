import { setTimeout as sleep } from "node:timers/promises";
import { signed } from "~server/bff/upstream-request.server";
import { calls } from "~server/contract/calls/table";
import { consentStatementId } from "~server/contract/consent";
import { encodeWav } from "~server/speech/recording/formats/wav";
import type { Product } from "../support/product";
import { speechLike, toPcm } from "../support/sounds";

const phone = "13800000001";
const ownRoles = 3;
const ownClones = 4;
const waitMs = 120_000;

/** Creates a paying account with a few roles and clones, waits until they are done, and returns its token. */
export async function createOwnRecords({ url }: Product): Promise<string> {
  let token = "";
  async function call<T>(name: keyof typeof calls, body?: object | FormData): Promise<T> {
    const { method, path } = calls[name];
    const isForm = body instanceof FormData;
    const query = method === "GET" && body && !isForm ? `?${new URLSearchParams(Object.entries(body))}` : "";
    const response = await fetch(`${url}/api/v1${path}${query}`, {
      method,
      headers: { appid: "shengxiang", token, ...(!isForm && { "content-type": "application/json" }) },
      ...(method === "POST" && { body: isForm ? body : JSON.stringify(body ?? {}) }),
    });
    const { code, data, msg } = (await response.json()) as { code: number; data: T; msg: string };
    if (code !== 0) throw new Error(`${name} was refused: ${msg}`);
    return data;
  }
  const { demoCode } = await call<{ demoCode: string }>("captcha", { phone });
  ({ token } = await call<{ token: string }>("login", { phone, verifyCode: demoCode }));
  const order = signed("orderCreate", { pCode: "vip-month", platform: 1 });
  const { url: cashier } = await call<{ url: string }>("orderCreate", order);
  await call("cashierPull", { id: new URL(cashier, url).pathname.split("/").at(-1), lever: "pay" });
  const sound = speechLike({ seconds: 8, sampleRate: 24_000, seed: 1 });
  for (let i = 1; i <= ownRoles; i++) {
    const form = new FormData();
    form.append("file", new Blob([encodeWav(toPcm(sound), sound.sampleRate)], { type: "audio/wav" }), "own.wav");
    const { voicePath } = await call<{ voicePath: string }>("recordingUpload", form);
    const consent = { statementId: consentStatementId };
    await call("roleCreate", { name: `声音${i}`, voicePath, consent });
  }
  const [role] = await call<Array<{ roleId: string }>>("squareHome", { size: 1 });
  for (let i = 1; i <= ownClones; i++)
    await call("cloneCreate", { content: `第${i}段话，今天天气很好。`, roleId: role?.roleId ?? "" });
  const running = async (name: "roleList" | "cloneList") =>
    (await call<{ list: Array<{ status: number }> }>(name, { page: 1, pageSize: 20 })).list.filter(
      ({ status }) => status === 1,
    );
  const deadline = Date.now() + waitMs;
  while ([...(await running("roleList")), ...(await running("cloneList"))].length > 0) {
    if (Date.now() > deadline) throw new Error("the member's roles and clones did not finish");
    await sleep(200);
  }
  return token;
}
