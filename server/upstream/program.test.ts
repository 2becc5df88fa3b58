import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";
import { passOnMessages } from "../program";

/** What is passed on of a child that runs `script`. */
async function messagesOf(script: string): Promise<string> {
  const child = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "ignore", "pipe"] });
  let passed = "";
  passOnMessages(child, "The child", (text) => {
    passed += text;
  });
  await once(child, "close");
  return passed;
}

it("passes on the messages of a child, also its last ones", async () => {
  expect(await messagesOf("process.stderr.write('模型坏了\\n'); process.abort()")).toMatch(/^模型坏了\n/);
});

it("passes on 8,192 characters of a child that writes without end", async () => {
  const passed = await messagesOf(
    "for (let i = 0; i < 3000; i++) process.stderr.write('memory access out of bounds '.repeat(40))",
  );
  expect(passed.length).toBeLessThan(8500);
  expect(passed).toMatch(/^memory access.*\nThe child writes too much; the rest of this minute is dropped\n$/s);
});

it("does not wait for a silent child", async () => {
  const module = new URL("../program.ts", import.meta.url).href;
  const parent = `import { spawn } from "node:child_process";
    import { passOnMessages } from ${JSON.stringify(module)};
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: ["ignore", "ignore", "pipe"] });
    child.unref();
    passOnMessages(child, "The child");
    console.log(child.pid);`;
  const running = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", parent], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let pid = "";
  running.stdout.setEncoding("utf8").on("data", (text: string) => {
    pid += text;
  });
  const [code] = await once(running, "close");
  process.kill(Number(pid), "SIGKILL");
  expect(code).toBe(0);
});
