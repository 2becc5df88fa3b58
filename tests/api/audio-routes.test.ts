import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const folder = "server/upstream/api";
const sources = readdirSync(folder)
  .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
  .map((name) => ({ name, source: readFileSync(`${folder}/${name}`, "utf8") }));

/** What an answer with a file's bytes cannot do without. */
const bytesOut = /files\.serve|createReadStream|Readable\.toWeb|toWebStream|audio\/|octet-stream/;

it("answers with files in one place alone, behind the label's check", () => {
  expect(sources.filter(({ source }) => bytesOut.test(source)).map(({ name }) => name)).toEqual([
    "dubs.ts",
    "files.ts",
    "users.ts",
  ]);
  const files = sources.find(({ name }) => name === "files.ts")?.source ?? "";
  expect(files).toContain("await files.serve(file, conditionsOf(c))");
  expect(files.match(/newResponse|new Response/g)).toHaveLength(1);
});

it("lets an account's archive read files through the label's check alone", () => {
  const archive = sources.find(({ name }) => name === "users.ts")?.source ?? "";
  expect(archive.match(/newResponse|new Response/g)).toHaveLength(1);
  expect(archive).toContain("await exportAccount(");
  expect(readFileSync("server/upstream/accounts/export.ts", "utf8")).not.toMatch(/store|createReadStream/);
  expect(readFileSync("server/upstream/compose/parts.ts", "utf8")).toContain(
    "const openFile = (file: MediaFile) => openServed(store, file);",
  );
});

it("lets a dub's export read files through the label's check alone", () => {
  const dubs = sources.find(({ name }) => name === "dubs.ts")?.source ?? "";
  expect(dubs.match(/newResponse|new Response/g)).toHaveLength(1);
  expect(dubs).toContain("await exportDub(");
  const exported = readFileSync("server/upstream/generations/dubs/export.ts", "utf8");
  expect(exported).not.toMatch(/store|createReadStream/);
  // Bytes come from `openFile`; `files.read` is for the timeline.
  expect(exported.match(/files\.read\(/g)).toHaveLength(1);
  expect(exported).toContain("files.read(id)");
  expect(readFileSync("server/upstream/compose/parts.ts", "utf8")).toContain(
    "exportDub: createDubExport({ db, files, findFile: files.find, openFile, zip })",
  );
});

it("keeps the store's bytes from everything but the choke point and the domains' own use", () => {
  for (const { name, source } of sources) {
    expect({ name, opens: /media\/(store|disk|blobs)/.test(source) }).toEqual({ name, opens: false });
  }
});
