import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createSharedFolder } from "./gpt-sovits";

const hourMs = 60 * 60 * 1000;
const top = await mkdtemp(join(tmpdir(), "shared-"));
afterAll(() => rm(top, { recursive: true }));

test("a recording is written once to the shared folder and deleted an hour after its last use", async () => {
  const folder = join(top, "deep", "down");
  let now = Date.now();
  const shared = createSharedFolder(folder, () => now);
  const [one, two] = [Buffer.from("one recording"), Buffer.from("another recording")];
  const [first, second] = await Promise.all([shared.store(one), shared.store(two), shared.store(one)]);
  expect((await readdir(folder)).sort()).toEqual([first, second].sort());
  expect(await readFile(join(folder, first))).toEqual(one);

  await writeFile(join(folder, "their own.wav"), "");
  now += 0.8 * hourMs;
  await shared.store(one);
  now += 0.4 * hourMs;
  await shared.sweep();
  expect((await readdir(folder)).sort()).toEqual([first, "their own.wav"].sort());

  now += 2 * hourMs;
  await shared.sweep();
  expect(await readdir(folder)).toEqual(["their own.wav"]);
  expect(await shared.store(two)).toBe(second);
  shared.close();
});

test("a truncated file in the shared folder is written again", async () => {
  const shared = createSharedFolder(top);
  const name = await shared.store(Buffer.from("a recording"));
  await writeFile(join(top, name), "a rec");
  await shared.store(Buffer.from("a recording"));
  expect(String(await readFile(join(top, name)))).toBe("a recording");
  shared.close();
});
