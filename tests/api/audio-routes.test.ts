import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const folder = "server/upstream/api";
const sources = readdirSync(folder)
  .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
  .map((name) => ({ name, source: readFileSync(`${folder}/${name}`, "utf8") }));

/** Required to answer with a file's bytes; "audio/" as a content type, not in a path. */
const bytesOut = /files\.serve|createReadStream|Readable\.toWeb|toWebStream|(?<!\/)audio\/|octet-stream/;

it("files are sent only by the module that checks the label", () => {
  expect(sources.filter(({ source }) => bytesOut.test(source)).map(({ name }) => name)).toEqual([
    "console.ts",
    "files.ts",
    "generations.ts",
    "openai.ts",
    "users.ts",
  ]);
  const files = sources.find(({ name }) => name === "files.ts")?.source ?? "";
  expect(files).toContain("await files.serve(file, conditionsOf(c))");
  expect(files.match(/newResponse|new Response/g)).toHaveLength(1);
});

it("operators hear the recordings of a proof, which people made, and no other file", () => {
  const ofConsole = sources.find(({ name }) => name === "console.ts")?.source ?? "";
  expect(ofConsole.match(/c\.body|newResponse|new Response/g)).toEqual(["c.body"]);
  expect(ofConsole).toContain("await door.sound(");
  const door = readFileSync("server/upstream/operations/console-door.ts", "utf8");
  expect(door).toContain("proofReviews.open(proofId))[which];");
});

it("a shared page's sound is the marked download, through the label check", () => {
  const generations = sources.find(({ name }) => name === "generations.ts")?.source ?? "";
  // The export of a dub.
  expect(generations.match(/newResponse|new Response/g)).toHaveLength(1);
  expect(generations).toContain("await files.serve(await files.ofShares.findPart(shareId, part), conditionsOf(c))");
});

it("a speech for programs is the marked download, or a stream that begins with its label", () => {
  const speech = sources.find(({ name }) => name === "openai.ts")?.source ?? "";
  expect(speech.match(/newResponse|new Response/g)).toHaveLength(1);
  expect(speech).toContain("c.newResponse(toWebStream(Readable.from(followed.bytes)))");
  expect(speech).toContain("await parts.files.serve(file, conditionsOf(c))");
  const followed = readFileSync("server/upstream/generations/clones/follow.ts", "utf8");
  expect(followed.match(/yield .*/g)?.[0]).toBe("yield Buffer.concat([head, first.bytes]);");
});

it("an account's export reads files only through the label check", () => {
  const archive = sources.find(({ name }) => name === "users.ts")?.source ?? "";
  expect(archive.match(/newResponse|new Response/g)).toHaveLength(1);
  expect(archive).toContain("await exportAccount(");
  expect(readFileSync("server/upstream/accounts/export.ts", "utf8")).not.toMatch(/store|createReadStream/);
  expect(readFileSync("server/upstream/compose/parts.ts", "utf8")).toContain(
    "const openFile = (file: MediaFile) => openServed(store, file);",
  );
});

it("a dub's export reads files only through the label check", () => {
  const dubs = sources.find(({ name }) => name === "generations.ts")?.source ?? "";
  expect(dubs.match(/newResponse|new Response/g)).toHaveLength(1);
  expect(dubs).toContain("await exportDub(");
  const exported = readFileSync("server/upstream/generations/dubs/export.ts", "utf8");
  expect(exported).not.toMatch(/store|createReadStream/);
  // Bytes are read through `openFile`; `files.read` is used for the timeline only.
  expect(exported.match(/files\.read\(/g)).toHaveLength(1);
  expect(exported).toContain("files.read(id)");
  expect(readFileSync("server/upstream/compose/parts.ts", "utf8")).toContain(
    "exportDub: createDubExport({ db, files, findFile: files.find, openFile, encodeBook, zip })",
  );
});

it("an audiobook reads sounds only through the label check", () => {
  const books = readFileSync("server/upstream/generations/dubs/books.ts", "utf8");
  expect(books).not.toMatch(/store\b|createReadStream/);
  // `files.read` is used for the cover only.
  expect(books.match(/files\.read\(/g)).toHaveLength(1);
  expect(books).toContain("files.read(coverId)");
  expect(books).toContain("parts.openFile(wav)");
});

it("the media store is not imported by any other route", () => {
  for (const { name, source } of sources) {
    expect({ name, opens: /media\/(store|disk|blobs)/.test(source) }).toEqual({ name, opens: false });
  }
});
