import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { basename } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { descendantsOf } from "../bench/processor";
import { startProduct } from "../support/product";

const programsOf = (pid: number): string[] => {
  const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  return words.filter((word) => word.endsWith(".js")).map((path) => basename(path));
};
const isAlive = (pid: number) => existsSync(`/proc/${pid}`) && programsOf(pid).length > 0;

// The first start speaks previews, and an installer waits for a mirror that never answers.
describe.runIf(process.platform === "linux" && existsSync("build/server/index.js"))("a killed server", () => {
  it("leaves no process behind: neither speech nor eSpeak nor an installer", async () => {
    const mirror = createServer(() => {});
    onTestFinished(() => {
      mirror.closeAllConnections();
      mirror.close();
    });
    await new Promise<void>((resolve) => mirror.listen(0, "127.0.0.1", resolve));
    const address = `http://127.0.0.1:${(mirror.address() as AddressInfo).port}`;
    const server = await startProduct({ VOICES: "kokoro", VOICES_MIRROR: address, FIRST_START_DATA: "" });
    let processes: number[] = [];
    try {
      await expect
        .poll(() => {
          processes = descendantsOf(server.process.pid);
          return processes.flatMap(programsOf);
        })
        .toEqual(expect.arrayContaining(["speech-child.js", "espeak.js", "voices-main.js"]));
      await server.stop("SIGKILL");
      await expect.poll(() => processes.filter(isAlive).flatMap(programsOf), { timeout: 30_000 }).toEqual([]);
    } finally {
      for (const pid of processes.filter(isAlive)) process.kill(pid, "SIGKILL");
    }
  });
});
