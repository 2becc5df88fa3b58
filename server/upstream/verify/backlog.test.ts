import { expect, test, vi } from "vitest";
import { openTestDatabase } from "../../../tests/support/database";
import { AppError } from "../errors";
import { createBacklog } from "./prints";

test("a file with missing bytes does not stop the others from being fingerprinted", async () => {
  const { db, close } = await openTestDatabase("embedded");
  const file = { owner: null, is_public: true, kind: "speech", mime: "audio/wav", bytes: 1, format: "wav" } as const;
  for (const id of ["gone", "here"]) {
    const label = { produce_id: `of-${id}`, label_time: new Date() };
    await db
      .insertInto("media_file")
      .values({ ...file, ...label, id, storage_key: id, expires_at: null })
      .execute();
    await db
      .insertInto("content")
      .values({ content_id: `of-${id}`, fingerprint_id: null })
      .execute();
  }
  const print = { words: new Uint32Array(), keys: new Int32Array(), places: new Int32Array() };
  const complete = vi.fn(async () => {});
  const remember = createBacklog({
    db,
    prints: { complete },
    speech: { print: async () => print },
    files: {
      async read(id) {
        if (id === "gone") throw new AppError("not-found", "no such file", { status: 404 });
        return new Uint8Array(1);
      },
    },
  });
  await remember();
  expect(complete.mock.calls).toEqual([["of-here", print]]);
  await close();
});
