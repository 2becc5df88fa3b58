import fc from "fast-check";
import { expect, test } from "vitest";
import { calls } from "./table";

test("the table contains the specification's 22 calls, each route once", () => {
  const routes = Object.values(calls).map(({ method, path }) => `${method} ${path}`);
  expect(new Set(routes).size).toBe(routes.length);
  expect(Object.values(calls).filter(({ confidence }) => confidence === "S")).toHaveLength(22);
});

test("no answer schema throws for any input", () => {
  fc.assert(
    fc.property(fc.anything({ withNullPrototype: true }), (value) => {
      for (const { data, request } of Object.values(calls)) {
        data.safeParse(value);
        request.safeParse(value);
      }
    }),
    { numRuns: 300 },
  );
});

test("a trial result is read from strings, nulls and aliases", () => {
  const read = calls.trialResult.data.parse({
    id: 17,
    status: "2",
    progress: "1",
    url: "/api/v1/files/a.mp3",
    duration: "3.5",
    msg: null,
    downloads: "none",
    extra: true,
  });
  expect(read).toEqual({
    taskId: "17",
    status: 2,
    progress: 1,
    segDone: 0,
    segTotal: 0,
    queuePos: 0,
    msg: "",
    voiceUrl: "/api/v1/files/a.mp3",
    duration: 3.5,
    reason: undefined,
    downloads: [],
    timelineUrl: "",
  });
});

test("lists are read from records or bare arrays, and rows without an id are left out", () => {
  const rows = [{ audioId: 5, name: null, gender: 2, tags: "a,b" }, { name: "no id" }];
  const bare = calls.squareList.data.parse(rows);
  expect(bare.list).toHaveLength(1);
  expect(bare.list[0]).toMatchObject({ roleId: "5", audioId: "5", name: "", gender: "female", tags: ["a", "b"] });
  expect(calls.squareList.data.parse({ list: rows, total: "2", page: "1", pageSize: 10 })).toMatchObject({
    total: 2,
    page: 1,
    pageSize: 10,
  });
  expect(calls.squareHome.data.parse({ list: rows })).toHaveLength(1);
});

test("names of Object.prototype neither match aliases nor pollute prototypes", () => {
  const hostile = JSON.parse('{"__proto__": {"taskId": "x", "polluted": true}, "constructor": 1}');
  expect(calls.trialCreate.data.safeParse(hostile).data?.taskId).toBe("");
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

test("a dub in the one-line form is read as one line", () => {
  expect(calls.dubCreate.request.parse({ text: "hi", audioId: 3, speed: "1.5" })).toMatchObject({
    lines: [{ content: "hi", roleId: "3", speed: 1.5, genre: 0 }],
  });
});

test("an unknown payment result is read as waiting", () => {
  expect(calls.payResult.data.parse({ result: "whatever" })).toMatchObject({ result: "waiting" });
});

test.each([
  ["clone without a voice", calls.cloneCreate, { content: "a" }],
  ["speed out of range", calls.cloneCreate, { content: "a", roleId: "1", speed: 3 }],
  ["delete of nothing", calls.cloneDelete, {}],
  ["page zero", calls.squareList, { page: 0 }],
  ["phone", calls.captcha, { phone: "12000000000" }],
  ["consent missing", calls.roleCreate, { name: "a", voicePath: "/x" }],
] as const)("a request with %s is refused", (_name, { request }, value) => {
  expect(request.safeParse(value).success).toBe(false);
});
