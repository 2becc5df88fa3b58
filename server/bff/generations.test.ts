import { expect, test } from "vitest";
import { createClone } from "./generations.server";
import { createUpstreamClient } from "./upstream.server";

const nameOfClone = async (answer: object) => {
  const fetch = () => Response.json({ code: 0, data: { voiceId: "1", content: "你好", ...answer }, msg: "" });
  const upstream = createUpstreamClient({ fetch, appId: "a", logger: { warn: () => {} } }).as(() => ({}));
  return (await createClone(upstream, { content: "你好", roleId: "7" }))?.name;
};

test("a clone of a recording has the file's name without its extension", async () => {
  expect(await nameOfClone({ name: "我的录音.wav" })).toBe("我的录音");
  expect(await nameOfClone({ name: "v1.2 老王.m4a" })).toBe("v1.2 老王");
  expect(await nameOfClone({ name: "第3.5版" })).toBe("第3.5版");
});

test("a clone of a role has the role's name unchanged", async () => {
  expect(await nameOfClone({ name: "小雨.mp3", roleId: "7" })).toBe("小雨.mp3");
});
