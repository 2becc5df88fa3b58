import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod/v4";
import { createSealing } from "./session.server";

const endedLogin = z.object({
  sessionId: z.string().regex(/^[\w-]{1,100}$/),
  token: z.string(),
  /** When its cookie ends by itself, Unix milliseconds. */
  endsAt: z.number(),
});
export type EndedLogin = z.infer<typeof endedLogin>;

/** Logins that have ended while the upstream may still take their tokens. */
export interface Revocations {
  /**
   * From now on no copy of the login's cookie is taken, and the upstream is asked to end the token until it does. Survives a
   * restart once this resolves.
   */
  revoke(login: EndedLogin): Promise<void>;
  isRevoked(sessionId: string): Promise<boolean>;
}

interface Options {
  /** One file for each login; processes that share it refuse each other's. */
  directory: string;
  /** Tokens are encrypted on disk. */
  secrets: readonly string[];
  /** Logs the token out at the upstream; true once it is dead there. */
  endToken(token: string): Promise<boolean>;
  onError(error: unknown): void;
  now?: () => number;
  firstDelayMs?: number;
}

const longestDelayMs = 600_000;
/** How soon a process sees what another one on the same directory revoked. */
const lookEveryMs = 2_000;

export function createRevocations({ directory, secrets, endToken, onError, ...options }: Options): Revocations {
  const { now = Date.now, firstDelayMs = 5_000 } = options;
  const sealing = createSealing(secrets, "ended login");
  const logins = new Map<string, EndedLogin>();
  let lookedAt = 0;
  let looking: Promise<void> = Promise.resolve();
  const pathOf = (sessionId: string) => join(directory, sessionId);

  async function forget({ sessionId }: EndedLogin) {
    await rm(pathOf(sessionId), { force: true });
    logins.delete(sessionId);
  }

  async function end(login: EndedLogin, delayMs: number): Promise<void> {
    const isOver = now() >= login.endsAt || (await endToken(login.token).catch(() => false));
    if (isOver) return forget(login).catch(onError);
    setTimeout(() => void end(login, Math.min(2 * delayMs, longestDelayMs)), delayMs).unref();
  }

  async function read(sessionId: string) {
    const sealed = await readFile(pathOf(sessionId), "utf8").catch(() => "");
    const login = endedLogin.safeParse(await sealing.open(sealed)).data;
    if (!login || logins.has(sessionId)) return;
    logins.set(sessionId, login);
    void end(login, firstDelayMs);
  }

  async function look() {
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
      if (now() - lookedAt >= lookEveryMs) {
        lookedAt = now();
        looking = look().catch(onError);
      }
      await looking;
      return logins.has(sessionId);
    },
  };
}
