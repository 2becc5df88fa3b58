import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { resolveProgram } from "../../program";

/** Forks a program, names its process and is killed at once, before the program has loaded. */
const killedParent = `
  const { fork } = require("node:child_process");
  const { path, options } = JSON.parse(process.argv[1]);
  process.stdout.write(String(fork(path, [], options).pid), () => process.kill(process.pid, "SIGKILL"));
`;

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test("a speech process ends with its server, even while it loads", async () => {
  const { path, nodeArguments, env } = resolveProgram("./speech/engines/embedded", "speech-child");
  const options = { execArgv: nodeArguments, env, stdio: ["ignore", "ignore", "ignore", "ipc"], detached: true };
  const parent = spawn(process.execPath, ["-e", killedParent, JSON.stringify({ path, options })]);
  const [pid] = await once(parent.stdout, "data");
  await once(parent, "exit");
  try {
    await expect.poll(() => isRunning(Number(pid)), { timeout: 20_000 }).toBe(false);
  } finally {
    if (isRunning(Number(pid))) process.kill(Number(pid), "SIGKILL");
  }
});
