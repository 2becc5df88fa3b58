import sharp from "sharp";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { CallData } from "~server/contract/calls/table";
import { readLabels } from "../../server/upstream/media/label/label";
import { createDub, exportDub, waitForDub } from "../support/dub";
import { createMember } from "../support/member";
import { readMp4Book } from "../support/mp4-book";
import { createTalkingSpeech } from "../support/talking-speech";
import { firstRoleId } from "../support/trial";
import { createVisitor, openTestUpstream, type TestUpstream, type Visitor } from "../support/upstream";

let upstream: TestUpstream;
let member: Visitor;
let roleId: string;
beforeAll(async () => {
  upstream = await openTestUpstream("embedded", { speech: createTalkingSpeech() });
  upstream.services.startWorker();
  member = await createMember(upstream, "vip");
  roleId = await firstRoleId(member);
});
afterAll(() => upstream.close());

const make = async (texts: string[], more: object = {}, by = member) => {
  const lines = texts.map((content) => ({ roleId, content }));
  const { code, data } = await createDub(by, { lines, ...more });
  expect(code).toBe(0);
  return waitForDub(by, data.dubbId);
};
const bookOf = async (dubbId: string, by = member) => {
  const answer = await exportDub(by, dubbId, "m4b");
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "audio/mp4"]);
  const bytes = Buffer.from(await answer.arrayBuffer());
  const name = decodeURIComponent(answer.headers.get("content-disposition") ?? "");
  return { bytes, name, ...readMp4Book(bytes) };
};
async function uploadCover() {
  const picture = await sharp({ create: { width: 900, height: 1200, channels: 3, background: "#a33" } })
    .png()
    .toBuffer();
  const form = new FormData();
  form.append("type", "picture");
  form.append("file", new Blob([new Uint8Array(picture)]), "cover.png");
  return (await member.upload<CallData<"fileUpload">>("/file/upload", form)).data.url;
}
const chapter = (number: number, more: object = {}) => ({ chapter: { bookId: "b-1", book: "山中", number, ...more } });

it("a dub is an audiobook whose chapters begin at the titles among its lines, labelled for verify", async () => {
  const dub = await make(["开场白。", "第一章 雾", "天亮了。", "第二章 雨", "下雨了，第三章。"], { title: "山中/上" });
  const { bytes, name, title, author, cover, track, list } = await bookOf(dub.dubbId);
  const [, one, , two] = dub.lines;
  expect({ name, title, author, cover }).toEqual({
    name: expect.stringContaining("山中上.m4b"),
    title: "山中上",
    author: null,
    cover: null,
  });
  expect(track.map((entry) => entry[1])).toEqual(["山中上", "第一章 雾", "第二章 雨"]);
  const starts = [0, one?.start ?? 0, two?.start ?? 0];
  for (const [i, [start]] of track.entries()) expect(start).toBeCloseTo(starts[i] ?? -1, 2);
  expect(list.map((entry) => entry[1])).toEqual(track.map((entry) => entry[1]));
  expect(await readLabels(bytes)).toMatchObject([{ Label: "1", ContentProducer: "shengxiang" }]);
  const form = new FormData();
  form.append("file", new Blob([new Uint8Array(bytes)]), "book.m4b");
  const { data } = await createVisitor(upstream.services).upload<CallData<"verify">>("/verify", form);
  expect(data).toMatchObject({ labelled: true, signature: "valid" });
});

it("a chapter's audiobook is the whole book: the newest of each chapter that is done, in order", async () => {
  const author = "佚名";
  const coverPath = await uploadCover();
  const second = await make(["雨停了。"], { title: "第二章 雨", ...chapter(1, { author, coverPath }) });
  await make(["太早的一版。"], { title: "第一章 初稿", ...chapter(0, { author }) });
  const first = await make(["天亮了。"], { title: "第一章 雾", ...chapter(0, { author }) });
  await make(["另一本。"], { title: "别的", chapter: { bookId: "b-2", book: "别的", number: 0 } });
  const other = await createMember(upstream, "vip");
  await make(["别人的。"], { title: "第三章", ...chapter(2) }, other);
  expect(second.chapter).toMatchObject({ bookId: "b-1", book: "山中", author, number: 1, coverPath });
  const book = await bookOf(second.dubbId);
  expect(book).toMatchObject({ name: expect.stringContaining("山中.m4b"), title: "山中", author });
  expect(book.track.map((entry) => entry[1])).toEqual(["第一章 雾", "第二章 雨"]);
  expect(book.track[1]?.[0]).toBeGreaterThan(first.duration);
  const { format, width, height } = await sharp(book.cover ?? Buffer.of()).metadata();
  expect({ format, width, height }).toEqual({ format: "jpeg", width: 900, height: 1200 });
  expect((await exportDub(other, second.dubbId, "m4b")).status).toBe(404);
});

it("a cover that is not the account's is left out, and a chapter without a sensible place is refused", async () => {
  const dub = await make(["好。"], chapter(0, { bookId: "b-3", coverPath: "/api/v1/files/none.webp" }));
  expect(dub.chapter).toEqual({ bookId: "b-3", book: "山中", number: 0 });
  expect((await bookOf(dub.dubbId)).cover).toBeNull();
  for (const fault of [{ number: -1 }, { bookId: "a b" }, { book: "长".repeat(101) }]) {
    const { msg } = await createDub(member, { lines: [{ roleId, content: "好。" }], ...chapter(0, fault) });
    expect(msg).toBe("bad-request");
  }
});
