import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestDatabase, testEngines } from "../../../tests/support/database";
import { speechLike, toPcm } from "../../../tests/support/sounds";
import { encodeWav } from "../../speech/recording/formats/wav";
import type { DatabaseHandle } from "../db/database";
import { createDiskStore } from "./disk";
import { createMediaFiles, type MediaFiles, type NewMediaFile } from "./files";
import { readLabels } from "./label/label";
import { serveFile } from "./serve";
import type { MediaStore } from "./store";

const wav = encodeWav(toPcm(speechLike({ seconds: 0.5 })), 22_050);
const owner = "visitor:1";
const speech: NewMediaFile = { owner, kind: "speech", format: "wav", body: wav, size: wav.length };
const recording: NewMediaFile = { ...speech, kind: "recording", body: wav };

describe.each(testEngines)("the media files on %s", (engine) => {
  let handle: DatabaseHandle;
  let root: string;
  let store: MediaStore;
  let files: MediaFiles;
  beforeAll(async () => {
    handle = await openTestDatabase(engine);
    root = await mkdtemp(join(tmpdir(), "files-"));
    store = await createDiskStore(root);
    files = createMediaFiles({ db: handle.db, store, producer: "producer", sign: (text) => `signed ${text.length}` });
  });
  afterAll(async () => {
    await handle.close();
    await rm(root, { recursive: true, force: true });
  });

  const stored = async () =>
    (await readdir(join(root, "files"), { recursive: true })).filter((name) => /\./.test(name));

  test("labels speech with its own number before it stores and serves it", async () => {
    const { id, url } = await files.keep(speech);
    expect(url).toBe(`/api/v1/files/${id}.wav`);
    const file = await files.find(id, owner);
    if (!file) throw new Error("not found");
    const bytes = await buffer((await serveFile(store, file)).stream as Readable);
    expect(bytes.length).toBe(file.bytes);
    expect(await readLabels(bytes)).toMatchObject([{ ContentProducer: "producer", ProduceID: file.produce_id }]);
    expect(file.label_time).toBeInstanceOf(Date);
  });

  test("keeps a recording unchanged and readable only for its owner", async () => {
    const { id } = await files.keep({ ...recording, body: Readable.from([Buffer.from(wav)]) });
    expect(await files.find(id, owner)).toMatchObject({ kind: "recording", produce_id: null, is_public: false });
    for (const reader of ["visitor:2", "account:1", null]) expect(await files.find(id, reader)).toBeNull();
    expect(Buffer.from(await files.read(id)).equals(wav)).toBe(true);
    await expect(files.keep({ ...recording, owner: null })).rejects.toThrow();
  });

  test("deletes the bytes later where a removal was interrupted, and does not serve them until then", async () => {
    const interrupted: MediaStore = { ...store, remove: () => Promise.reject(new Error("the process was killed")) };
    const { db } = handle;
    const killed = createMediaFiles({ db, store: interrupted, producer: "producer", sign: (text) => text });
    const before = await stored();
    const { id } = await files.keep(speech);
    await expect(killed.remove(id)).rejects.toThrow("killed");
    expect(await files.find(id, owner)).toBeNull();
    expect(await files.removeExpired()).toBeGreaterThan(0);
    expect(await stored()).toEqual(before);
  });

  test("lets every reader read a file without an owner", async () => {
    const { id } = await files.keep({ ...speech, owner: null });
    for (const reader of [owner, "account:9", null]) expect(await files.find(id, reader)).toMatchObject({ id });
  });

  test("leaves neither row nor bytes if speech cannot be labelled", async () => {
    const before = await stored();
    const broken = { ...speech, body: Buffer.from("not audio"), size: 9 };
    await expect(files.keep(broken)).rejects.toMatchObject({ code: "failure" });
    await expect(files.keep({ ...speech, body: Readable.from([wav]) })).rejects.toMatchObject({ code: "failure" });
    await expect(files.keep({ ...speech, format: "exe" })).rejects.toMatchObject({ code: "failure" });
    await expect(files.keep({ ...recording, owner: null })).rejects.toThrow();
    expect(await stored()).toEqual(before);
  });

  test("removes row and bytes, and accepts a repeated removal", async () => {
    const before = (await stored()).length;
    const { id } = await files.keep(speech);
    expect((await stored()).length).toBe(before + 1);
    await files.remove(id);
    await files.remove(id);
    expect((await stored()).length).toBe(before);
    expect(await files.find(id, owner)).toBeNull();
    await expect(files.read(id)).rejects.toMatchObject({ code: "not-found", status: 404 });
  });

  test("removes all files of one owner and keeps those of others", async () => {
    const mine = { ...speech, owner: "account:7" };
    await files.keep(mine);
    await files.keep({ ...mine, kind: "recording" });
    const { id } = await files.keep({ ...speech, owner: "account:8" });
    expect(await files.removeAllOf("account:7")).toBe(2);
    expect(await files.removeAllOf("account:7")).toBe(0);
    expect(await files.find(id, "account:8")).not.toBeNull();
  });

  test("hides an expired file at once and deletes it in the next sweep", async () => {
    const { id } = await files.keep({ ...speech, expiresAt: new Date(Date.now() - 1000) });
    const later = await files.keep({ ...speech, expiresAt: new Date(Date.now() + 60_000) });
    expect(await files.find(id, owner)).toBeNull();
    expect(await files.removeExpired()).toBe(1);
    expect(await files.find(later.id, owner)).not.toBeNull();
  });
});
