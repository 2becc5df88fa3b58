import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** Starts a process that only forwards calls to the api. */
export async function startBareProxy(api: string): Promise<{ url: string; stop(): Promise<void> }> {
  const program = fileURLToPath(new URL("bare-proxy.mjs", import.meta.url));
  const child = spawn(process.execPath, [program, api], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit");
  const [port] = await Promise.race([
    once(child.stdout, "data"),
    ended.then(() => Promise.reject(new Error("the bare proxy did not start"))),
  ]);
  return {
    url: `http://127.0.0.1:${String(port).trim()}`,
    async stop() {
      child.kill();
      await ended;
    },
  };
}
