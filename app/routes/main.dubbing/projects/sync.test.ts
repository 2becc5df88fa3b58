import fc from "fast-check";
import { expect, test } from "vitest";
import { Refused } from "~/call";
import type { ProjectDocument } from "./merge";
import { type ProjectCopy, type ProjectServer, type SyncState, syncProject, unsynced } from "./sync";

type Lines = Array<{ id: string; content: string }>;
const toDocument = (lines: Lines): ProjectDocument => ({ script: { title: "", lines } });
const linesIn = (document: ProjectDocument | null) => (document?.script as { lines: Lines } | undefined)?.lines ?? [];

/** The account's copy, as `server/upstream/projects` keeps it. A lost request fails before or after it took effect. */
class FakeAccount implements ProjectServer {
  revision = 0;
  document: ProjectDocument = {};
  lose: "no" | "request" | "answer" = "no";
  refusal: Refused | null = null;
  readonly #answers = new Map<string, { isSaved: boolean; revision: number }>();

  async get() {
    return { revision: this.revision, document: structuredClone(this.document) };
  }

  async put({ key, baseRevision, document }: Parameters<ProjectServer["put"]>[0]) {
    if (this.refusal) throw this.refusal;
    if (this.lose === "request") throw new Refused({ code: "network" });
    const answer = this.#answers.get(key) ?? this.#save(baseRevision, document);
    this.#answers.set(key, answer);
    if (this.lose === "answer") throw new Refused({ code: "network" });
    return answer;
  }

  #save(baseRevision: number, document: ProjectDocument) {
    if (baseRevision !== this.revision) return { isSaved: false, revision: this.revision };
    this.document = structuredClone(document);
    return { isSaved: true, revision: ++this.revision };
  }
}

let keys = 0;

class FakeDevice implements ProjectCopy {
  document: ProjectDocument | null;
  state: SyncState = unsynced;
  onReplace: (() => void) | null = null;

  constructor(lines: Lines | null) {
    this.document = lines && toDocument(lines);
  }

  edit(change: (lines: Lines) => Lines) {
    this.document = toDocument(change(linesIn(this.document)));
  }

  read = async () => structuredClone(this.document);
  async replace(read: ProjectDocument, merged: ProjectDocument) {
    this.onReplace?.();
    this.onReplace = null;
    if (JSON.stringify(read) !== JSON.stringify(this.document)) return false;
    this.document = structuredClone(merged);
    return true;
  }
  readState = async () => structuredClone(this.state);
  async writeState(state: SyncState) {
    this.state = structuredClone(state);
  }
  newKey = () => String(keys++);
}

const write = (id: string, content: string) => (lines: Lines) =>
  lines.some((line) => line.id === id)
    ? lines.map((line) => (line.id === id ? { id, content } : line))
    : [...lines, { id, content }];
const texts = (device: FakeDevice) => linesIn(device.document).map(({ content }) => content);

/** Two devices with one project of a line. */
async function createDevices() {
  const account = new FakeAccount();
  const [desktop, phone] = [new FakeDevice([{ id: "a", content: "天亮了。" }]), new FakeDevice([])];
  await syncProject(account, desktop);
  phone.document = structuredClone(account.document);
  phone.state = { revision: account.revision, document: structuredClone(account.document), pending: null };
  return { account, desktop, phone };
}

test("an edit goes up, comes down elsewhere, and nothing is sent without one", async () => {
  const { account, desktop, phone } = await createDevices();
  desktop.edit(write("b", "天黑了。"));
  await syncProject(account, desktop);
  await syncProject(account, phone, account.revision);
  expect(texts(phone)).toEqual(["天亮了。", "天黑了。"]);
  await syncProject(account, phone, account.revision);
  expect(account.revision).toBe(2);
});

test("an edit without a connection goes up later, and a lost answer doubles no line", async () => {
  const { account, desktop, phone } = await createDevices();
  desktop.edit(write("a", "一"));
  account.lose = "answer";
  await expect(syncProject(account, desktop)).rejects.toMatchObject({ refusal: { code: "network" } });
  account.lose = "no";
  desktop.edit(write("a", "二"));
  expect(await syncProject(account, desktop)).toMatchObject({ lines: 0 });
  await syncProject(account, phone, account.revision);
  expect([texts(desktop), texts(phone)]).toEqual([["二"], ["二"]]);
});

test("a line that two devices have changed is kept twice, and said", async () => {
  const { account, desktop, phone } = await createDevices();
  desktop.edit(write("a", "电脑"));
  phone.edit(write("a", "手机"));
  await syncProject(account, desktop);
  expect(await syncProject(account, phone)).toEqual({ lines: 1, title: false, music: false });
  await syncProject(account, desktop, account.revision);
  expect([texts(phone), texts(desktop)]).toEqual([
    ["电脑", "手机"],
    ["电脑", "手机"],
  ]);
});

test("what is typed while the other device's change arrives stays", async () => {
  const { account, desktop, phone } = await createDevices();
  desktop.edit(write("b", "电脑"));
  await syncProject(account, desktop);
  phone.onReplace = () => phone.edit(write("c", "手机"));
  await syncProject(account, phone, account.revision);
  expect(texts(phone)).toEqual(["天亮了。", "电脑", "手机"]);
  expect(linesIn(account.document)).toHaveLength(3);
});

test("a refused document is not sent again as it was", async () => {
  const { account, desktop } = await createDevices();
  desktop.edit(write("a", "太多"));
  account.refusal = new Refused({ code: "project-limit" });
  await expect(syncProject(account, desktop)).rejects.toMatchObject({ refusal: { code: "project-limit" } });
  account.refusal = null;
  desktop.edit(write("a", "少些"));
  await syncProject(account, desktop);
  expect(linesIn(account.document)).toEqual([{ id: "a", content: "少些" }]);
});

const step = fc.record({
  device: fc.constantFrom("desktop", "phone"),
  line: fc.constantFrom("a", "b", "c", "d"),
  act: fc.constantFrom("write", "sync"),
  lose: fc.constantFrom("no", "request", "answer"),
} as const);

test("whatever is lost on the way, both devices come to one script with every device's last words", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const { account, ...devices } = await createDevices();
      const last = new Map<string, string>();
      for (const [index, { device, line, act, lose }] of steps.entries()) {
        // Each device overwrites the lines that it alone writes, so that its last words are known.
        const id = `${device} ${line}`;
        if (act === "write") {
          last.set(id, `${id} ${index}`);
          devices[device].edit(write(id, `${id} ${index}`));
        } else {
          account.lose = lose;
          await syncProject(account, devices[device], account.revision).catch(() => {});
        }
      }
      account.lose = "no";
      for (const device of [devices.desktop, devices.phone, devices.desktop])
        await syncProject(account, device, account.revision);
      expect(devices.desktop.document).toEqual(account.document);
      expect(linesIn(devices.phone.document)).toEqual(linesIn(account.document));
      expect(
        texts(devices.phone)
          .filter((text) => text !== "天亮了。")
          .sort(),
      ).toEqual([...last.values()].sort());
    }),
  );
});
