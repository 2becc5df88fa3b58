import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { passOnMessages } from "../program";

/** The lines that are passed on of a child that runs `script`. */
async function messagesOf(script: string): Promise<string[]> {
  const child = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "ignore", "pipe"] });
  const passed: string[] = [];
  passOnMessages(child, "The child", (_name, line) => passed.push(line));
  await once(child, "close");
  return passed;
}

it("passes on the lines of a child, also its last one", async () => {
  expect((await messagesOf("process.stderr.write('模型坏了\\n'); process.abort()"))[0]).toBe("模型坏了");
  expect(await messagesOf("process.stderr.write('一\\n\\n二')")).toEqual(["一", "二"]);
});

it("passes on 8,192 characters of a child that writes without end", async () => {
  const passed = await messagesOf(
    "for (let i = 0; i < 3000; i++) process.stderr.write('memory access out of bounds '.repeat(40))",
  );
  expect(passed.join("\n").length).toBeLessThan(8500);
  expect(passed.at(-1)).toBe("writes too much; the rest of this minute is dropped");
});

it("passes on 50 lines of a child that repeats itself", async () => {
  const passed = await messagesOf("process.stderr.write('again\\n'.repeat(100_000))");
  expect(passed).toHaveLength(51);
});

it("writes each line as JSON to the log", async () => {
  const module = new URL("../program.ts", import.meta.url).href;
  const parent = `import { spawn } from "node:child_process";
    import { passOnMessages } from ${JSON.stringify(module)};
    const script = "process.stderr.write('one\\\\ntwo')";
    passOnMessages(spawn(process.execPath, ["-e", script], { stdio: ["ignore", "ignore", "pipe"] }), "The child");`;
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...["--import", "tsx", "--input-type=module", "-e", parent],
  ]);
  const lines = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines).toMatchObject([
    { level: 40, program: "The child", msg: "one" },
    { level: 40, program: "The child", msg: "two" },
  ]);
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
