import { beforeEach, expect, test } from "vitest";
import { createPublicVersion } from "../public-reads";
import { type AnswerMarks, createPlaceholders } from "./page-template";
import { createPageCache } from "./visitor-pages";

const clock = { now: 0 };
const version = createPublicVersion();
beforeEach(() => {
  clock.now = 0;
});
const open = (limits: { maxPages?: number } = {}) => createPageCache({ version, now: () => clock.now, ...limits });

const html = { "content-type": "text/html; charset=utf-8" };

/** Counts renders; each shows its number and its nonce. */
function counter(init: ResponseInit = {}) {
  const renders = { count: 0 };
  const render = async ({ nonce }: AnswerMarks) => {
    renders.count += 1;
    const text = `<p>${renders.count}</p><script nonce="${nonce}"></script>`;
    return new Response(text, { headers: html, ...init });
  };
  return { renders, render };
}

const read = async (cache: ReturnType<typeof open>, render: Parameters<typeof cache.read>[3], key = "k") => {
  const answer = await cache.read(key, createPlaceholders(), false, render);
  return answer && (await answer.text());
};
const numberIn = (text: string | null) => /<p>(\d+)/.exec(text ?? "")?.[1];

test("a page is rendered once in two seconds, and each answer has its own nonce", async () => {
  const cache = open();
  const { render, renders } = counter();
  const first = await read(cache, render);
  clock.now = 1_999;
  const second = await read(cache, render);
  expect([numberIn(first), numberIn(second), renders.count]).toEqual(["1", "1", 1]);
  expect(first).not.toBe(second);
  clock.now = 2_001;
  expect(numberIn(await read(cache, render))).toBe("2");
});

test("another key is another page", async () => {
  const cache = open();
  const { render } = counter();
  expect(numberIn(await read(cache, render, "a"))).toBe("1");
  expect(numberIn(await read(cache, render, "b"))).toBe("2");
});

test("a change drops every page, also one that was being rendered", async () => {
  const cache = open();
  const { render } = counter();
  const early = read(cache, render);
  version.advance();
  expect(numberIn(await read(cache, render))).toBe("2");
  expect(numberIn(await early)).toBe("1");
  expect(numberIn(await read(cache, render))).toBe("2");
});

test("requests during a render share it", async () => {
  const cache = open();
  const { render, renders } = counter();
  const answers = await Promise.all(Array.from({ length: 5 }, () => read(cache, render)));
  expect(renders.count).toBe(1);
  expect(new Set(answers).size).toBe(5);
});

test("an answer with another status, another type or a cookie is not shared", async () => {
  for (const init of [
    { status: 404, headers: html },
    { headers: { "content-type": "application/json" } },
    { headers: { ...html, "set-cookie": "a=b" } },
  ]) {
    const { render } = counter(init);
    expect(await read(open(), render)).toBeNull();
  }
});

test("a failed render is not cached and does not fail the requests that shared it", async () => {
  const cache = open();
  const failing = () => Promise.reject(new Error("upstream gone"));
  expect(await Promise.all([read(cache, failing), read(cache, failing)])).toEqual([null, null]);
  expect(numberIn(await read(cache, counter().render))).toBe("1");
});

test("pages are bounded in number, the oldest go first, and a large one is not cached", async () => {
  const cache = open({ maxPages: 2 });
  const { render, renders } = counter();
  for (let i = 0; i < 50; i++) await read(cache, render, `key ${i}`);
  expect(renders.count).toBe(50);
  await read(cache, render, "key 49");
  expect(renders.count).toBe(50);
  await read(cache, render, "key 0");
  expect(renders.count).toBe(51);
  const large = async () => new Response("x".repeat(300_000), { headers: html });
  expect(await read(cache, large, "large")).toBeNull();
});

test("a page keeps its headers", async () => {
  const { render } = counter({ headers: { ...html, "x-page": "1" } });
  const cache = open();
  for (let i = 0; i < 2; i++) {
    const answer = await cache.read("k", createPlaceholders(), true, render);
    expect(Object.fromEntries(answer?.headers ?? [])).toMatchObject({ "x-page": "1", "content-encoding": "br" });
  }
});
