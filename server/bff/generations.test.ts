import { expect, test } from "vitest";
import { createClone, createDub } from "./generations.server";
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

test.each([
  ["is sent where books are made", true],
  ["is not sent to an upstream without them", false],
])("the chapter of a dub %s", async (_case, hasExport) => {
  const chapter = { bookId: "b", book: "山中", number: 0 };
  const ours = { code: 0, data: { calls: ["dubExport"], engine: "", isLabelled: true, vendors: [] }, msg: "" };
  const bodies: Array<Record<string, unknown>> = [];
  const fetch = async (request: Request) => {
    if (!request.url.endsWith("/dubbing/create"))
      return hasExport ? Response.json(ours) : new Response("", { status: 404 });
    bodies.push(await request.json());
    return Response.json({ code: 0, data: { dubbId: "1", lines: [{ content: "好。" }] }, msg: "" });
  };
  const upstream = createUpstreamClient({ fetch, appId: "a", logger: { warn: () => {} } }).as(() => ({}));
  await upstream.renewOffer();
  await createDub(upstream, { lines: [{ roleId: "7", content: "好。", speed: 1, genre: 0 }], chapter });
  expect(bodies.map((body) => body.chapter)).toEqual([hasExport ? chapter : undefined]);
});
