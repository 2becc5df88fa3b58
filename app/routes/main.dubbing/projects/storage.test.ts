import { beforeEach, expect, test, vi } from "vitest";
import { ownedKey } from "~/ui/store";
import { scriptLinesMax } from "~server/contract/limits";
import { createLine } from "../editor/script";
import { type Draft, parseDraft } from "../stored-draft";

const stored = new Map<string, unknown>();
let capacity = Number.POSITIVE_INFINITY;
// Test files share their modules: another one may have loaded these with the browser's own database.
vi.resetModules();
vi.doMock("idb-keyval", () => ({
  get: async (key: string) => structuredClone(stored.get(key)),
  set: async (key: string, value: unknown) => {
    if (stored.size >= capacity) throw new DOMException("full", "QuotaExceededError");
    stored.set(key, structuredClone(value));
  },
  del: async (key: string) => void stored.delete(key),
  update: async (key: string, change: (value: unknown) => unknown) => void stored.set(key, change(stored.get(key))),
}));
const { chooseProject, draftKeyOf, firstProjectId, recordProject, toProject } = await import("./current");
const {
  createChapterProjects,
  createProject,
  deleteProject,
  duplicateProject,
  openChapters,
  readDraft,
  purgeDeletedProjects,
  readProjects,
  renameProject,
  restoreProject,
  searchProjects,
} = await import("./storage");
const { readVersions, saveVersion } = await import("./versions");

const draftOf = (content: string, title = "") => ({
  revision: "a",
  script: { title, lines: [createLine({ roleId: "r", content })] },
  speakers: [],
  made: [],
  takes: [],
  dubbId: null,
});

const ids = async () => (await readProjects()).map(({ id }) => id);

beforeEach(() => {
  stored.clear();
  capacity = Number.POSITIVE_INFINITY;
});

test("a script from before there were projects is listed as the first one", async () => {
  stored.set(ownedKey(draftKeyOf(firstProjectId)), draftOf("天亮了。", "清晨"));
  expect(await readProjects()).toMatchObject([{ id: firstProjectId, title: "清晨", lines: 1, characters: 4 }]);
  expect(await chooseProject(null)).toBe(firstProjectId);
  expect(await chooseProject("../x")).toBe(firstProjectId);
});

test("a named project is opened if it is stored, and another owner's is not", async () => {
  stored.set(ownedKey(draftKeyOf("one")), draftOf("天亮了。"));
  stored.set(`account/${draftKeyOf("two")}`, draftOf("天黑了。"));
  expect(await chooseProject("one")).toBe("one");
  expect(await chooseProject("two")).not.toBe("two");
});

test("without a project that was open last the one edited last is opened, and without any a new one", async () => {
  const [one, other] = [await chooseProject(null), await chooseProject(null)];
  expect(one).not.toBe(other);
  const id = await createProject("r");
  await recordProject("not-stored", draftOf("你好").script);
  expect(await chooseProject(null)).toBe(id);
});

test("a saved project moves to the top of the list and keeps one entry", async () => {
  const id = await createProject("r");
  await recordProject("other", draftOf("你好").script);
  await recordProject(id, draftOf("再见", "二").script);
  expect((await readProjects()).map(({ title, excerpt }) => title || excerpt)).toEqual(["二", "你好"]);
});

test("a renamed project keeps its lines and gets a new revision, which open pages notice", async () => {
  const id = await createProject("r");
  const before = parseDraft(stored.get(ownedKey(draftKeyOf(id))));
  await renameProject(id, "新名字");
  const after = parseDraft(stored.get(ownedKey(draftKeyOf(id))));
  expect(after?.script).toEqual({ ...before?.script, title: "新名字" });
  expect(after?.revision).not.toBe(before?.revision);
  expect(await readProjects()).toMatchObject([{ id, title: "新名字" }]);
});

test("a duplicate has its own lines with the same words", async () => {
  stored.set(ownedKey(draftKeyOf("one")), { ...draftOf("天亮了。", "清晨"), dubbId: "d" });
  const copyId = await duplicateProject("one");
  const copy = parseDraft(stored.get(ownedKey(draftKeyOf(copyId ?? ""))));
  expect(copy?.script.title).toBe("清晨 副本");
  expect(copy?.dubbId).toBeNull();
  expect(copy?.script.lines[0]?.content).toBe("天亮了。");
  expect(copy?.script.lines[0]?.id).not.toBe(parseDraft(stored.get(ownedKey(draftKeyOf("one"))))?.script.lines[0]?.id);
  expect(await duplicateProject("missing")).toBeNull();
});

test("a deleted project can be restored for half an hour and is removed afterwards", async () => {
  const id = await createProject("r");
  const [project] = await readProjects();
  if (!project) throw new Error("No project");
  await deleteProject(project);
  await purgeDeletedProjects(Date.now());
  expect(stored.has(ownedKey(draftKeyOf(id)))).toBe(true);
  await restoreProject(id);
  await purgeDeletedProjects(Date.now() + 3_600_000);
  expect(await ids()).toEqual([id]);
  await deleteProject(project);
  await purgeDeletedProjects(Date.now() + 3_600_000);
  expect(await ids()).toEqual([]);
  expect(stored.has(ownedKey(draftKeyOf(id)))).toBe(false);
});

test("a project that is saved in another tab after its deletion returns", async () => {
  const project = toProject("one", draftOf("你好").script);
  await recordProject("one", draftOf("你好").script);
  await deleteProject(project);
  await recordProject("one", draftOf("你好呀").script);
  expect(await readProjects()).toMatchObject([{ id: "one", excerpt: "你好呀" }]);
  expect((await readProjects())[0]?.deletedAt).toBeUndefined();
});

test("searchProjects finds titles and beginnings", () => {
  const projects = [toProject("1", draftOf("天亮了").script), toProject("2", draftOf("你好", "Morning").script)];
  expect(searchProjects(projects, "天亮").map(({ id }) => id)).toEqual(["1"]);
  expect(searchProjects(projects, " morning").map(({ id }) => id)).toEqual(["2"]);
  expect(searchProjects(projects, "")).toHaveLength(2);
});

test("the last ten different versions are kept, the newest first", async () => {
  for (let index = 0; index < 12; index++) await saveVersion("one", draftOf(`第 ${index} 版`));
  await saveVersion("one", draftOf("第 11 版"));
  await saveVersion("one", draftOf("  "));
  const versions = await readVersions("one");
  expect(versions).toHaveLength(10);
  expect(versions[0]?.script.lines[0]?.content).toBe("第 11 版");
  expect(await readVersions("other")).toEqual([]);
});

const chapters = ["一", "二"].map((title) => ({ title, lines: [{ roleId: "shen-yan", content: `${title}章` }] }));

test("each chapter of a book becomes a project, the first one on top", async () => {
  const id = await createChapterProjects(chapters, new Map());
  expect((await readProjects()).map(({ title }) => title)).toEqual(["一", "二"]);
  expect((await ids())[0]).toBe(id);
});

test("projects know their chapter of the book, and a copy is none", async () => {
  const book = { bookId: "b", book: "山中", author: "佚名" };
  const id = (await createChapterProjects(chapters, new Map(), book)) ?? "";
  expect((await readDraft(id))?.script.chapter).toEqual({ ...book, number: 0 });
  const copy = await duplicateProject(id);
  expect((await readDraft(copy ?? ""))?.script.chapter).toBeUndefined();
});

test("a book that the browser cannot store whole leaves no project", async () => {
  capacity = 1;
  expect(await createChapterProjects(chapters, new Map())).toBeNull();
  expect(stored.size).toBe(0);
});

test("a chapter's title may be missing, and is cut where it is a whole paragraph", async () => {
  const lines = [0, 1].map((chapter) => ({ name: null, text: `${chapter}。`, chapter }));
  const cast = { speakers: new Map(), defaultRoleId: () => "shen-yan" };
  await openChapters({ lines, chapters: ["", "长".repeat(500)], spot: null, title: "" }, new Map(), cast);
  expect((await readProjects()).map(({ title }) => title)).toEqual(["", "长".repeat(80)]);
});

test("a chapter of too many lines becomes several projects, whose lines keep nothing of the book", async () => {
  const lines = Array.from({ length: scriptLinesMax + 1 }, () => ({ name: null, text: "句。", chapter: 0 }));
  const cast = { speakers: new Map(), defaultRoleId: () => "shen-yan" };
  const id = await openChapters({ lines, chapters: ["长"], spot: null, title: "" }, new Map(), cast);
  expect((await readProjects()).map(({ title }) => title)).toEqual(["长 (1)", "长 (2)"]);
  const draft = stored.get(ownedKey(draftKeyOf(id ?? ""))) as Draft;
  expect(draft.script.lines).toHaveLength(scriptLinesMax);
  expect(draft.script.lines[0]).not.toHaveProperty("chapter");
});
