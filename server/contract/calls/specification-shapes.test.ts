import { expect, test } from "vitest";
import { calls } from "./table";
import { uncounted } from "./tolerant";

const rows = [
  { id: 7, name: "林小满" },
  { id: "8", name: "沈砚" },
];

test.each([
  ["list", { list: rows, total: 2 }, 2],
  ["rows", { rows, total: "2" }, 2],
  ["records", { records: rows, total: 2, current: 1 }, 2],
  ["data in data", { data: { data: rows }, totalCount: 2 }, 2],
  ["an unknown name", { voices: rows, pagination: { total: 2 } }, 2],
  ["a list without a total", { list: rows }, uncounted],
  ["a bare array", rows, uncounted],
])("a list is read as %s, with ids as numbers or strings", (_shape, answer, count) => {
  for (const name of ["roleList", "squareList", "cloneList", "dubList"] as const) {
    const { list, total } = calls[name].data.parse(answer);
    expect(total).toBe(count);
    expect(list.map((row) => ("roleId" in row && row.roleId) || ("taskId" in row && row.taskId))).toEqual(["7", "8"]);
  }
  expect(calls.squareHome.data.parse(answer).map(({ roleId }) => roleId)).toEqual(["7", "8"]);
});

test.each([
  ["html"],
  [{ message: "ok" }],
  [{ list: "none" }],
  [{ total: 3 }],
  [[{ name: "no id" }]],
  [{ list: [{}, {}] }],
])("%j is refused as a list, not read as an empty one", (answer) => {
  for (const name of ["roleList", "squareList", "cloneList", "dubList", "squareHome", "products"] as const)
    expect(calls[name].data.safeParse(answer).success, name).toBe(false);
});

test("a list that does not fit names its fields", () => {
  const { error } = calls.squareList.data.safeParse({ list: [{ name: "no id" }], total: 1 });
  expect(error?.issues.map(({ path }) => path.join("."))).toContain("list.0.roleId");
});

test.each([
  ["snake case", { role_id: 7, role_name: "林小满", voice_url: "/7.mp3", create_time: 1764297000 }],
  ["_id and other names", { _id: "7", title: "林小满", previewUrl: "/7.mp3", createTime: "2025-11-28 10:30:00" }],
  ["records in fields", { id: 7, name: "林小满", audio: { url: "/7.mp3" }, createdAt: 1764297000000 }],
  ["one level deeper", { role: { id: 7, name: "林小满", sample: "/7.mp3", created: "2025-11-28T02:30:00Z" } }],
])("a role is read from %s", (_names, row) => {
  expect(calls.roleList.data.parse([row]).list[0]).toMatchObject({
    ...{ roleId: "7", name: "林小满", voiceUrl: "/7.mp3", createdAt: "2025-11-28T10:30:00+08:00" },
  });
});

test.each(["nickname", "nickName", "user_name", "voiceName", "label"])("a role's name is read from %s", (name) => {
  for (const call of ["roleList", "squareList"] as const)
    expect(calls[call].data.parse([{ id: 1, [name]: "沈砚" }]).list[0]).toMatchObject({ name: "沈砚" });
});

test.each(["headImg", "headimg", "head_img", "logo"])("a role's picture is read from %s", (name) => {
  expect(calls.squareList.data.parse([{ id: 1, [name]: "/p.png" }]).list[0]).toMatchObject({ avatar: "/p.png" });
});

test("fields of other meanings under our names leave a row readable", () => {
  const row = {
    uuid: "u1",
    content: "你好",
    ext: { a: [1, { b: null }] },
    reason: { at: 1 },
    pitch: "high",
    doubts: "no",
  };
  expect(calls.cloneList.data.parse([row]).list[0]).toMatchObject({ taskId: "u1", content: "你好", ext: undefined });
  expect(calls.dubList.data.parse([row]).list[0]).toMatchObject({ dubbId: "u1" });
  expect(calls.roleList.data.parse([row]).list[0]).toMatchObject({ roleId: "u1", reason: undefined });
  expect(calls.trialResult.data.parse(row)).toMatchObject({ taskId: "u1", reason: undefined });
});

test("a file without a leading slash is read as a sound", () => {
  for (const name of ["audioUrl", "handle"])
    expect(calls.cloneList.data.parse([{ id: 1, [name]: "files/v1.mp3" }]).list[0]).toMatchObject({
      ...{ status: 2, voiceUrl: "files/v1.mp3" },
    });
});

test.each([null, "", 0, "yesterday", {}])("a date given as %j is read as unknown", (createTime) => {
  expect(calls.cloneList.data.parse([{ id: 1, createTime }]).list[0]?.createdAt).toBe("");
});

test.each([
  [2.5, 2.5],
  ["2.5", 2.5],
  ["2.5s", 2.5],
  ["01:05", 65],
  [null, 0],
  ["long", 0],
])("a length of %j is read as %s seconds", (duration, seconds) => {
  expect(calls.cloneList.data.parse([{ id: 1, duration }]).list[0]?.duration).toBe(seconds);
});

test.each(["dubbing_id", "dubbingId", "_id", "uuid"])("a dub is identified by %s", (name) => {
  expect(calls.dubList.data.parse([{ [name]: 3, content: "你好" }]).list[0]).toMatchObject({ dubbId: "3" });
});

test.each([{ path: "/a.png" }, { fileUrl: "/a.png" }, { data: { url: "/a.png" } }, [{ src: "/a.png" }]])(
  "the file of an upload is read from %j",
  (answer) => {
    expect(calls.fileUpload.data.parse(answer)).toMatchObject({ url: "/a.png" });
    expect(calls.recordingUpload.data.parse(answer)).toMatchObject({ voicePath: "/a.png" });
  },
);

test("a record that says it is done without a sound is read as unreadable, but not the answer of its creation", () => {
  for (const status of [2, "2", "SUCCESS", "finished"]) {
    const row = { id: 1, content: "你好", status, cost: 3 };
    expect(calls.cloneList.data.parse([row]).list[0]).toMatchObject({ status: 3, reason: "unreadable" });
    expect(calls.cloneCreate.data.parse(row)).toMatchObject({ status: 1 });
  }
});

test("times of an account are read from milliseconds and text, and prices in yuan are refused", () => {
  const read = calls.userInfo.data.parse({ vip_expire: 1796000000000, svipExpire: "2026-11-30 09:33:20" });
  expect(read).toMatchObject({ vipExpire: 1796000000, svipExpire: 1796002400 });
  expect(calls.userInfo.data.safeParse({ vipExpire: "forever" }).success).toBe(false);
  const product = { pCount: 1, pCode: "a", packageType: 1 };
  expect(calls.products.data.parse([{ ...product, price: "3900" }])).toMatchObject([{ price: 3900 }]);
  for (const price of ["39.00", 39.9, "¥39", undefined])
    expect(calls.products.data.safeParse([{ ...product, price }]).success, String(price)).toBe(false);
});

test("null is read as an empty list", () => {
  for (const name of ["roleList", "squareList", "cloneList", "dubList"] as const)
    expect(calls[name].data.parse(null)).toMatchObject({ list: [], total: 0 });
  expect(calls.squareHome.data.parse(null)).toEqual([]);
  expect(calls.products.data.parse({ rows: null })).toEqual([]);
});

test.each([null, true, {}, { ok: 1 }])("%j is accepted from every create call", (answer) => {
  for (const name of ["roleCreate", "cloneCreate", "dubCreate"] as const)
    expect(calls[name].data.parse(answer)).toBeNull();
  expect(calls.trialCreate.data.parse(answer)).toMatchObject({ taskId: "", tryNum: 0 });
});

test("a bare string or number from a create call is read as the new record's id", () => {
  expect(calls.cloneCreate.data.parse(12)).toMatchObject({ taskId: "12", voiceId: "12" });
  expect(calls.dubCreate.data.parse("12")).toMatchObject({ dubbId: "12" });
  expect(calls.roleCreate.data.parse("r")).toMatchObject({ roleId: "r" });
  expect(calls.trialCreate.data.parse(5)).toMatchObject({ taskId: "5" });
});

test.each(["voiceUrl", "url", "filePath", "voicePath", "voice_url", "output"])(
  "a record whose file is named %s is read as done",
  (name) => {
    const record = { id: 1, content: "你好", [name]: "/files/1.mp3" };
    expect(calls.cloneList.data.parse([record]).list[0]).toMatchObject({ status: 2, voiceUrl: "/files/1.mp3" });
    expect(calls.dubList.data.parse([record]).list[0]).toMatchObject({ status: 2, voiceUrl: "/files/1.mp3" });
    expect(calls.trialResult.data.parse(record)).toMatchObject({ status: 2, voiceUrl: "/files/1.mp3" });
  },
);

test("a record without a file is read as running, and a failed one as failed", () => {
  expect(calls.cloneList.data.parse([{ id: 1 }]).list[0]).toMatchObject({ status: 1 });
  expect(calls.cloneList.data.parse([{ id: 1, status: "3", url: "/a.mp3" }]).list[0]).toMatchObject({ status: 3 });
});

test("the reference recording of a running clone is not read as its result", () => {
  const running = { voiceId: "1", status: 1, voiceUrl: "", voicePath: "/api/v1/files/reference.wav" };
  expect(calls.cloneList.data.parse([running]).list[0]).toMatchObject({
    status: 1,
    voiceUrl: "",
    voicePath: "/api/v1/files/reference.wav",
  });
});

test("a role without a status is read as ready, and one in training as training", () => {
  expect(calls.roleList.data.parse([{ id: 1 }, { id: 2, status: 1, voicePath: "/a.wav" }]).list).toMatchObject([
    { status: 2 },
    { status: 1 },
  ]);
});

test("a trial result without a taskId is read", () => {
  expect(calls.trialResult.data.parse({ url: "/a.mp3" })).toMatchObject({ taskId: "", status: 2, voiceUrl: "/a.mp3" });
  expect(calls.trialResult.data.parse(null)).toMatchObject({ status: 1, voiceUrl: "" });
});

test("answers that consist of one bare value are read", () => {
  expect(calls.login.data.parse("a-token")).toMatchObject({ token: "a-token" });
  expect(calls.fileUpload.data.parse("/files/a.png")).toMatchObject({ url: "/files/a.png" });
  expect(calls.recordingUpload.data.parse({ url: "/files/a.wav" })).toMatchObject({ voicePath: "/files/a.wav" });
  expect(calls.payResult.data.parse("success")).toMatchObject({ result: "success" });
  expect(calls.payResult.data.parse(null)).toMatchObject({ result: "waiting" });
  expect(calls.captcha.data.parse(true)).toMatchObject({ resend: 60 });
  expect(calls.orderCreate.data.parse(null)).toMatchObject({ orderId: "", url: "" });
});

test.each([
  ["success", ["success", "SUCCESS", "Success", true, "true", 1, "1", "PAID"]],
  ["waiting", ["WAITING", "UNPAID", false, 0, null, "", "unknown"]],
  ["closed", ["Closed"]],
] as const)("a payment's result is read as %s, bare or in its field", (result, answers) => {
  for (const answer of answers) {
    expect(calls.payResult.data.parse(answer)).toMatchObject({ result });
    expect(calls.payResult.data.parse({ result: answer })).toMatchObject({ result });
  }
});

test("user info without quota, tryMax and resetAt is read", () => {
  const read = calls.userInfo.data.parse({ phone: "13800000000", vipExpire: null, svipExpire: "1", isMonthly: 1 });
  expect(read).toMatchObject({ vipExpire: 0, svipExpire: 1, isMonthly: true, tryNum: 0, tryMax: 3, quota: null });
});

test("a dub in the one-line form is read as a dub of one line with the dub's file", () => {
  const [dub] = calls.dubList.data.parse([{ id: 3, content: "你好", audioId: 9, url: "/a.mp3" }]).list;
  expect(dub).toMatchObject({ dubbId: "3", lines: [{ content: "你好", roleId: "9", voiceUrl: "/a.mp3", status: 2 }] });
});

test("the file of a dub of one line is read as the line's file", () => {
  const answer = [{ id: 3, voiceUrl: "/a.mp3", lines: [{ content: "你好", roleId: 9 }] }];
  expect(calls.dubList.data.parse(answer).list[0]?.lines).toMatchObject([{ voiceUrl: "/a.mp3", status: 2 }]);
});
