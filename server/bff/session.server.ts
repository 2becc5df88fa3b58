import { hkdfSync, randomUUID } from "node:crypto";
import { CompactEncrypt, compactDecrypt } from "jose";
import { z } from "zod/v4";

/** The content of the encrypted cookie: scripts cannot read the token, visitors cannot change the counts. */
const stored = z.object({
  id: z.string(),
  visitorId: z.string(),
  token: z.string().optional(),
  /** The account's key for what its pages save in the browser. */
  owner: z.string().optional(),
  trialsUsed: z.number().int().min(0),
  /** The upstream does not count this visitor's trials, so the cookie's count applies. */
  countsTrials: z.boolean().optional(),
  /** The payer inside WeChat as WeChat names it, or the state of the request that asks WeChat for it. */
  wechat: z
    .object({ state: z.string(), from: z.string(), payer: z.string(), isFailed: z.boolean() })
    .partial()
    .optional(),
  /** Pays the one order that was handed over to this browser. */
  payPass: z.string().optional(),
  /** The code of the account that referred this visitor. */
  referral: z.string().optional(),
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
  /** Sets the number of used trials, of visitors and accounts. */
  countTrials(trialsUsed: number, options?: { isOwnCount: boolean }): void;
  remember(change: Partial<Pick<SessionValues, "wechat" | "payPass" | "referral">>): void;
  /** After a login: new id, same visitor. */
  logIn(token: string, owner?: string): void;
  /** Refuses every copy of this login's cookie and ends its token at the upstream. */
  revoke(): Promise<void>;
  /** After a logout or code 5: removes the token, keeps the visitor and the used trials. Nothing without a login. */
  logOut(): void;
  /** The Set-Cookie value; null if nothing changed. */
  setCookie(): Promise<string | null>;
}

interface SessionsOptions {
  /** Newest first: it encrypts; the others still decrypt. */
  secrets: [string, ...string[]];
  /** Without it only the upstream ends a login before its cookie expires. */
  revocations?: Revocations;
  now?: () => number;
}

const dayMs = 86_400_000;
const idleMs = 7 * dayMs;
const absoluteMs = 30 * dayMs;
/** Age of `seenAt` at which the cookie is written again. */
const touchMs = 3_600_000;
const maxDecrypted = 1_000;
/** Browsers silently drop a cookie above 4,096 bytes. */
const maxCookieBytes = 4_000;

/** `__Host-sid` where browsers accept it; `sid` for demo mode over plain HTTP outside localhost. */
const cookieName = (isSecure: boolean) => (isSecure ? "__Host-sid" : "sid");
/** Cookie of a visitor without a login: a late answer to the visitor cannot replace the login's cookie. */
const visitorCookieName = (isSecure: boolean) => (isSecure ? "__Host-vid" : "vid");

/** Sessions in an encrypted cookie: idle 7 days, absolute 30. */
export function createSessions({ secrets, revocations, now = Date.now }: SessionsOptions) {
  const sealing = createSealing(secrets, "session cookie");

  // A page and its polls send the same cookie, and decryption costs a trip to the thread pool.
  const opened = new Map<string, SessionValues>();
  async function read(sealed: string): Promise<SessionValues | null> {
    const values = opened.get(sealed) ?? stored.safeParse(await sealing.open(sealed)).data;
    if (!values) return null;
    if (opened.size >= maxDecrypted) opened.clear();
    opened.set(sealed, values);
    const isLive = now() - values.seenAt < idleMs && now() - values.issuedAt < absoluteMs;
    return isLive ? values : null;
  }

  function fresh(): SessionValues {
    return { id: randomUUID(), visitorId: randomUUID(), trialsUsed: 0, issuedAt: now(), seenAt: now() };
  }

  return {
    /**
     * The request's session, or a new visitor's, which a request that only reads does not store. `isSecure`: https, or
     * localhost, which browsers treat alike.
     */
    async open(cookieHeader: string | null, isSecure: boolean, isReadOnly = false): Promise<Session> {
      const own = cookieNamed(cookieHeader, cookieName(isSecure));
      const sealed = own ?? cookieNamed(cookieHeader, visitorCookieName(isSecure));
      const found = sealed ? await read(sealed) : null;
      const isEnded = found?.token !== undefined && (await revocations?.isRevoked(found.id));
      let values = found ?? fresh();
      if (isEnded) values = { ...values, token: undefined, owner: undefined, id: randomUUID() };
      // An ended login's cookie is not rewritten: the browser may have a newer one.
      const isNew = !found && !(isReadOnly && sealed === undefined);
      let isChanged = isNew || (found !== null && !isEnded && now() - values.seenAt > touchMs);
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
        remember: change,
        logIn: (token, owner) => change({ token, owner, id: randomUUID(), issuedAt: now() }),
        async revoke() {
          const { id, token, issuedAt } = values;
          if (token) await revocations?.revoke({ sessionId: id, token, endsAt: issuedAt + absoluteMs });
        },
        logOut() {
          if (values.token !== undefined)
            change({ token: undefined, owner: undefined, wechat: undefined, id: randomUUID(), issuedAt: now() });
        },
        async setCookie() {
          if (!isChanged) return null;
          const renewed = await sealing.seal({ ...values, seenAt: now() });
          if (renewed.length > maxCookieBytes) throw new Error("the session does not fit in a cookie");
          const secure = isSecure ? "; Secure" : "";
          const isVisitor = own === undefined && values.token === undefined;
          const name = (isVisitor ? visitorCookieName : cookieName)(isSecure);
          return `${name}=${renewed}; Path=/; HttpOnly; SameSite=Lax${secure}; Max-Age=${idleMs / 1000}`;
        },
      };
    },
  };
}

/**
 * The value of a cookie; undefined without one, and "" if its name comes twice: a browser holds one of a `__Host-` name,
 * so another page put the other there. Names are trimmed of space and tab alone, as browsers compare them: U+00A0 before
 * a name makes it another one, which a sibling subdomain may set.
 */
function cookieNamed(header: string | null, name: string): string | undefined {
  const values: string[] = [];
  for (const pair of header?.split(";") ?? []) {
    const at = pair.indexOf("=");
    if (trimBlanks(pair.slice(0, at)) === name) values.push(trimBlanks(pair.slice(at + 1)));
  }
  return values.length > 1 ? "" : values[0];
}

const trimBlanks = (text: string) => text.replace(/^[ \t]+|[ \t]+$/g, "");

/** Encrypts JSON that only this server can read (compact JWE, dir + A256GCM, key id for rotation). */
export interface Sealing {
  seal(value: unknown): Promise<string>;
  /** Null if it was altered or sealed with another secret or purpose. */
  open(sealed: string): Promise<unknown>;
}

/** The first secret seals, all of them open. Each purpose has its own keys. */
export function createSealing(secrets: readonly string[], purpose: string): Sealing {
  const keys = new Map(
    secrets.map((secret) => [derive(secret, "session key id", 6).toString("hex"), keyOf(secret, purpose)]),
  );
  const [newest] = keys;
  if (!newest) throw new TypeError("createSealing needs a secret");
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
