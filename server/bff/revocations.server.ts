import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod/v4";
import { createSealing, type EndedLogin, type Revocations } from "./session.server";

/** Format on disk. */
const endedLogin = z.object({
  sessionId: z.string().regex(/^[\w-]{1,100}$/),
  token: z.string(),
  endsAt: z.number(),
});

interface RevokeOptions {
  /** One file per login; processes that share the directory share the revocations. */
  directory: string;
  /** Tokens are encrypted on disk. */
  secrets: readonly string[];
  /** Logs the token out at the upstream; true if it is invalid afterwards. */
  endToken(token: string): Promise<boolean>;
  onError(error: unknown): void;
  now?: () => number;
  firstDelayMs?: number;
}

const maxDelayMs = 600_000;
/** Interval at which a process reads the revocations of the others. */
const rereadEveryMs = 2_000;

/** Revocations stored as files; each token is logged out at the upstream, with growing delays until that succeeds. */
export function createRevocations({ directory, secrets, endToken, onError, ...options }: RevokeOptions): Revocations {
  const { now = Date.now, firstDelayMs = 5_000 } = options;
  const sealing = createSealing(secrets, "ended login");
  const logins = new Map<string, EndedLogin>();
  let readAt = 0;
  let reading: Promise<void> = Promise.resolve();
  const pathOf = (sessionId: string) => join(directory, sessionId);
  async function forget({ sessionId }: EndedLogin) {
    await rm(pathOf(sessionId), { force: true });
    logins.delete(sessionId);
  }

  async function end(login: EndedLogin, delayMs: number): Promise<void> {
    const isOver = now() >= login.endsAt || (await endToken(login.token).catch(() => false));
    if (isOver) return forget(login).catch(onError);
    setTimeout(() => void end(login, Math.min(2 * delayMs, maxDelayMs)), delayMs).unref();
  }

  async function read(sessionId: string) {
    const sealed = await readFile(pathOf(sessionId), "utf8").catch(() => "");
    const login = endedLogin.safeParse(await sealing.open(sealed)).data;
    if (!login || logins.has(sessionId)) return;
    logins.set(sessionId, login);
    void end(login, firstDelayMs);
  }

  async function readAll() {
    const names = await readdir(directory).catch(() => []);
    const isNew = (name: string) => /^[\w-]+$/.test(name) && !logins.has(name);
    await Promise.all(names.filter(isNew).map(read));
  }

  async function write(login: EndedLogin) {
    const path = pathOf(login.sessionId);
    await mkdir(directory, { recursive: true });
    await writeFile(`${path}.part`, await sealing.seal(login), { mode: 0o600 });
    await rename(`${path}.part`, path);
  }

  return {
    async revoke(login) {
      logins.set(login.sessionId, login);
      await write(login).catch(onError);
      void end(login, firstDelayMs);
    },
    async isRevoked(sessionId) {
      if (now() - readAt >= rereadEveryMs) {
        readAt = now();
        reading = readAll().catch(onError);
      }
      await reading;
      return logins.has(sessionId);
    },
  };
}
