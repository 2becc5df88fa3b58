import { describe, expect, it } from "vitest";
import { createPublicVersion, createSharedReads } from "./public-reads";

function createReads({ maxEntries = 10 } = {}) {
  const version = createPublicVersion();
  const clock = { ms: 0 };
  const reads = createSharedReads<string>({ maxAgeMs: 1000, version, maxEntries, now: () => clock.ms });
  let loads = 0;
  const load = async () => `answer ${++loads}`;
  return { version, clock, reads, load, count: () => loads };
}

describe("shared public reads", () => {
  it("answers from the first load until its age is reached, counted from the start of the load", async () => {
    const { reads, clock, load } = createReads();
    expect(await reads.read("a", load)).toBe("answer 1");
    clock.ms = 999;
    expect(reads.read("a", load)).toBe("answer 1");
    clock.ms = 1000;
    expect(await reads.read("a", load)).toBe("answer 2");
  });

  it("shares one load between concurrent callers and keeps keys apart", async () => {
    const { reads, load, count } = createReads();
    const answers = await Promise.all([reads.read("a", load), reads.read("a", load), reads.read("b", load)]);
    expect(answers).toEqual(["answer 1", "answer 1", "answer 2"]);
    expect(count()).toBe(2);
  });

  it("does not use a load that began before a change, even one that ends after it", async () => {
    const { reads, version, load } = createReads();
    let finish = (_: string) => {};
    const early = reads.read("a", () => new Promise<string>((resolve) => (finish = resolve)));
    version.advance();
    expect(await reads.read("a", load)).toBe("answer 1");
    finish("old");
    expect(await early).toBe("old");
    expect(reads.read("a", load)).toBe("answer 1");
  });

  it("loads again for a caller that asks for a fresh answer, and returns that answer to the others", async () => {
    const { reads, load } = createReads();
    await reads.read("a", load);
    expect(await reads.read("a", load, { isFresh: true })).toBe("answer 2");
    expect(reads.read("a", load)).toBe("answer 2");
  });

  it("does not keep an error", async () => {
    const { reads, load } = createReads();
    await expect(reads.read("a", () => Promise.reject(new Error("down")))).rejects.toThrow("down");
    expect(await reads.read("a", load)).toBe("answer 1");
  });

  it("keeps the newer answer when an older load fails later", async () => {
    const { reads, load } = createReads();
    let fail = (_: Error) => {};
    const early = reads.read("a", () => new Promise<string>((_, reject) => (fail = reject)));
    await reads.read("a", load, { isFresh: true });
    fail(new Error("down"));
    await expect(early).rejects.toThrow("down");
    expect(reads.read("a", load)).toBe("answer 1");
  });

  it("drops the oldest entry when there are too many", async () => {
    const { reads, load } = createReads({ maxEntries: 2 });
    for (const key of ["a", "b", "c"]) await reads.read(key, load);
    expect(reads.read("b", load)).toBe("answer 2");
    expect(await reads.read("a", load)).toBe("answer 4");
  });
});
