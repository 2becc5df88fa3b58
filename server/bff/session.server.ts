import { hkdfSync, randomBytes, randomUUID } from "node:crypto";
import { CompactEncrypt, compactDecrypt } from "jose";
import { z } from "zod/v4";

/** The content of the encrypted cookie: scripts cannot read the token, visitors cannot change the counts. */
const stored = z.object({
  id: z.string(),
  visitorId: z.string(),
  token: z.string().optional(),
  trialsUsed: z.number().int().min(0),
  /** The upstream does not count this visitor's trials, so the cookie's own count decides. */
  countsTrials: z.boolean().optional(),
  /** Unix milliseconds. */
  issuedAt: z.number(),
  seenAt: z.number(),
});
export type SessionValues = Readonly<z.infer<typeof stored>>;

/** A login that ended here while the upstream may still accept its token. */
export interface EndedLogin {
  sessionId: string;
  token: string;
  /** When its cookie expires, Unix milliseconds. */
  endsAt: number;
}

/** The ended logins. */
export interface Revocations {
  /** Refuses every copy of the login's cookie from now on and ends the token at the upstream. Durable once resolved. */
  revoke(login: EndedLogin): Promise<void>;
  isRevoked(sessionId: string): Promise<boolean>;
}

/** One request's session. Changes are written to the answer's Set-Cookie by the web host. */
export interface Session {
  readonly values: SessionValues;
  /** Counts trials of visitors and accounts alike. */
  countTrials(trialsUsed: number, options?: { isOwnCount: boolean }): void;
  /** After a login: a new id, the same visitor. */
  logIn(token: string): void;
  /** No copy of this login's cookie is taken any more, and its token is ended at the upstream as soon as that answers. */
  revoke(): Promise<void>;
  /** After a logout or code 5: the token is gone; the visitor and the trials used remain. */
  logOut(): void;
  /** The Set-Cookie value when there is something to write, else null. */
  setCookie(): Promise<string | null>;
}

interface Options {
  /** Newest first: it encrypts, the others still open what they encrypted. */
  secrets: [string, ...string[]];
  /** Absent: only the upstream's word ends a login's cookie before its time. */
  revocations?: Revocations;
  now?: () => number;
}

const dayMs = 86_400_000;
const idleMs = 7 * dayMs;
const absoluteMs = 30 * dayMs;
/** How stale `seenAt` may get before the cookie is written again. */
const touchMs = 3_600_000;
const keptOpen = 1_000;
/** Browsers drop a cookie above 4096 bytes silently; better a clear failure. */
const maxCookieBytes = 4_000;

/** `__Host-sid` wherever the browser takes it; `sid` for demo mode on plain http that is not localhost. */
const cookieName = (isSecure: boolean) => (isSecure ? "__Host-sid" : "sid");

/** Sessions in an encrypted cookie: idle 7 days, absolute 30. */
export function createSessions({ secrets, revocations, now = Date.now }: Options) {
  const sealing = createSealing(secrets, "session cookie");

  // A page and its polls bring the same cookie again and again, and opening it costs a trip
  // to the thread pool.
  const opened = new Map<string, SessionValues>();
  async function read(sealed: string): Promise<SessionValues | null> {
    const values = opened.get(sealed) ?? stored.safeParse(await sealing.open(sealed)).data;
    if (!values) return null;
    if (opened.size >= keptOpen) opened.clear();
    opened.set(sealed, values);
    const isLive = now() - values.seenAt < idleMs && now() - values.issuedAt < absoluteMs;
    return isLive ? values : null;
  }

  function fresh(): SessionValues {
    return { id: newId(), visitorId: randomUUID(), trialsUsed: 0, issuedAt: now(), seenAt: now() };
  }

  return {
    /** The request's session, or a new visitor's. `isSecure`: https, or localhost, which browsers treat alike. */
    async open(cookieHeader: string | null, isSecure: boolean): Promise<Session> {
      const sealed = cookieNamed(cookieHeader, cookieName(isSecure));
      const found = sealed ? await read(sealed) : null;
      const isEnded = found?.token !== undefined && (await revocations?.isRevoked(found.id));
      let values = found ?? fresh();
      if (isEnded) values = { ...values, token: undefined, id: newId() };
      // The browser may have a newer cookie by now: an ended one is not written over it.
      let isChanged = !found || (!isEnded && now() - values.seenAt > touchMs);
      const change = (next: Partial<SessionValues>) => {
        values = { ...values, ...next };
        isChanged = true;
      };
      return {
        get values() {
          return values;
        },
        countTrials: (trialsUsed, { isOwnCount } = { isOwnCount: false }) =>
          change({ trialsUsed, countsTrials: isOwnCount || undefined }),
        logIn: (token) => change({ token, id: newId(), issuedAt: now() }),
        async revoke() {
          const { id, token, issuedAt } = values;
          if (token) await revocations?.revoke({ sessionId: id, token, endsAt: issuedAt + absoluteMs });
        },
        logOut: () => change({ token: undefined, id: newId(), issuedAt: now() }),
        async setCookie() {
          if (!isChanged) return null;
          const sealedAgain = await sealing.seal({ ...values, seenAt: now() });
          if (sealedAgain.length > maxCookieBytes) throw new Error("the session does not fit in a cookie");
          const secure = isSecure ? "; Secure" : "";
          return `${cookieName(isSecure)}=${sealedAgain}; Path=/; HttpOnly; SameSite=Lax${secure}; Max-Age=${idleMs / 1000}`;
        },
      };
    },
  };
}

const newId = () => randomBytes(16).toString("base64url");

function cookieNamed(header: string | null, name: string): string | undefined {
  for (const pair of header?.split(";") ?? []) {
    const at = pair.indexOf("=");
    if (pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}

/** Encrypts JSON for this server alone (compact JWE, dir + A256GCM, key id for rotation). */
export interface Sealing {
  seal(value: unknown): Promise<string>;
  /** Null for what was altered, or sealed under another secret or for another purpose. */
  open(sealed: string): Promise<unknown>;
}

/** `secrets`: the first one seals, all of them open. Each purpose has keys of its own. */
export function createSealing(secrets: readonly string[], purpose: string): Sealing {
  const keys = new Map(
    secrets.map((secret) => [derive(secret, "session key id", 6).toString("hex"), keyOf(secret, purpose)]),
  );
  const [newest] = keys;
  if (!newest) throw new TypeError("sealing needs a secret");
  const [newestId, newestKey] = newest;
  const keyNamed = (kid: string | undefined): Promise<CryptoKey> => {
    const key = keys.get(kid ?? "");
    if (!key) throw new Error("unknown key");
    return key;
  };
  return {
    async seal(value) {
      return new CompactEncrypt(new TextEncoder().encode(JSON.stringify(value)))
        .setProtectedHeader({ alg: "dir", enc: "A256GCM", kid: newestId })
        .encrypt(await newestKey);
    },
    async open(sealed) {
      try {
        const { plaintext } = await compactDecrypt(sealed, ({ kid }) => keyNamed(kid), {
          keyManagementAlgorithms: ["dir"],
          contentEncryptionAlgorithms: ["A256GCM"],
        });
        return JSON.parse(new TextDecoder().decode(plaintext));
      } catch {
        return null;
      }
    },
  };
}

const derive = (secret: string, purpose: string, bytes: number) =>
  Buffer.from(hkdfSync("sha256", secret, "", purpose, bytes));
const keyOf = (secret: string, purpose: string) =>
  crypto.subtle.importKey("raw", derive(secret, purpose, 32), "AES-GCM", false, ["encrypt", "decrypt"]);
