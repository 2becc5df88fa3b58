import { execFileSync, spawn } from "node:child_process";
import { chownSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const home = "/usr/lib/postgresql";
const isRoot = process.getuid?.() === 0;

/** Folder of the newest PostgreSQL programs in Debian's layout, or null. */
export function findPostgres(): string | null {
  try {
    const newest = readdirSync(home).sort((a, b) => Number(b) - Number(a))[0];
    const folder = join(home, newest ?? "", "bin");
    return newest && statSync(join(folder, "postgres")).isFile() ? folder : null;
  } catch {
    return null;
  }
}

/** A free port. */
export const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const probe = createServer()
      .once("error", reject)
      .listen(0, "127.0.0.1", () => {
        const address = probe.address();
        probe.close(() =>
          address && typeof address === "object" ? resolve(address.port) : reject(new Error("no port")),
        );
      });
  });

export interface TestPostgres {
  url: string;
  /** Ends it as `pg_ctl stop -m immediate` does: all connections are cut, and the next start recovers from the log. */
  crash(): Promise<void>;
  /** Starts it again after `crash`; resolves when it accepts connections. */
  start(): Promise<void>;
  /** Stops and deletes it. */
  stop(): Promise<void>;
}

/** A temporary PostgreSQL on loopback, run as an ordinary user (it refuses root). */
export async function startPostgres(bin: string, settings: Record<string, string> = {}): Promise<TestPostgres> {
  const dir = mkdtempSync(join(tmpdir(), "postgres-"));
  const owner = isRoot ? Number(execFileSync("id", ["-u", "postgres"]).toString()) : undefined;
  if (owner !== undefined) chownSync(dir, owner, owner);
  const as = owner === undefined ? {} : { uid: owner };
  const data = join(dir, "data");
  execFileSync(join(bin, "initdb"), ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C"], {
    ...as,
    cwd: dir,
  });
  const port = await freePort();
  const all = { listen_addresses: "127.0.0.1", unix_socket_directories: dir, fsync: "off", ...settings };
  const options = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const launch = () =>
    spawn(join(bin, "postgres"), ["-D", data, "-p", String(port), ...options], { ...as, cwd: dir, stdio: "ignore" });
  let server = launch();
  const end = async (signal: NodeJS.Signals) => {
    const ended = new Promise((resolve) => server.once("exit", resolve));
    if (server.kill(signal)) await ended;
  };
  await waitUntilReady(bin, port);
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    crash: () => end("SIGQUIT"),
    async start() {
      server = launch();
      await waitUntilReady(bin, port);
    },
    async stop() {
      await end("SIGINT");
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

async function waitUntilReady(bin: string, port: number) {
  for (let tries = 0; tries < 1000; tries++) {
    try {
      execFileSync(join(bin, "pg_isready"), ["-h", "127.0.0.1", "-p", String(port)], { stdio: "ignore" });
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  throw new Error("PostgreSQL did not come up");
}
