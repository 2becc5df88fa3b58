import fs, { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { receiveUpload } from "./multipart";

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "multipart-"));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const boundary = "a-boundary";
const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.wav"\r\n\r\n`;

/** A client that disconnects in the middle of a file. */
function cutOff(reason = new Error("the caller left")): Request {
  const pieces = [Buffer.from(head), ...Array.from({ length: 4 }, () => new Uint8Array(70_000))];
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = pieces.shift();
      if (piece) controller.enqueue(piece);
      else controller.error(reason);
    },
  });
  const headers = { "content-type": `multipart/form-data; boundary=${boundary}` };
  return new Request("http://localhost/", { method: "POST", body, headers, duplex: "half" } as RequestInit);
}

const isOpen = (path: string) =>
  readdirSync("/proc/self/fd").some((fd) => {
    const link = `/proc/self/fd/${fd}`;
    try {
      return readlinkSync(link).startsWith(path);
    } catch {
      return false;
    }
  });

test.runIf(existsSync("/proc/self/fd"))(
  "a client disconnect during an upload leaves no file and no open file handle",
  async () => {
    const path = join(directory, "upload");
    const received = receiveUpload(cutOff(), { maxBytes: 10_000_000, temporaryPath: () => path });
    await expect(received).rejects.toMatchObject({ code: "bad-request", status: 400 });
    expect([existsSync(path), isOpen(path)]).toEqual([false, false]);
  },
);

test("an upload to a full disk returns 507 and leaves no file", async () => {
  const path = join(directory, "full");
  const full = Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
  const received = receiveUpload(cutOff(full), { maxBytes: 10_000_000, temporaryPath: () => path });
  await expect(received).rejects.toMatchObject({ code: "storage-full", status: 507 });
  expect(existsSync(path)).toBe(false);
});

test("a file over the limit on a slow disk returns 413 and leaves no file that is created later", async () => {
  const path = join(directory, "slow");
  const { open } = fs;
  const slowOpen = vi.spyOn(fs, "open").mockImplementation(((...args: Parameters<typeof open>) => {
    setTimeout(() => open(...args), 100);
  }) as typeof open);
  onTestFinished(() => slowOpen.mockRestore());
  const received = receiveUpload(cutOff(), { maxBytes: 100_000, temporaryPath: () => path });
  await expect(received).rejects.toMatchObject({ code: "too-large", status: 413 });
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect([slowOpen.mock.calls.length, existsSync(path)]).toEqual([1, false]);
});
