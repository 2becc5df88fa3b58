import type { Context, MiddlewareHandler } from "hono";
import { type CallName, calls } from "~server/contract/calls/table";
import { AppError } from "../errors";
import { type Auth, addressOf, apiKeyOf, findVisitor } from "./auth";

/** Counts one hit. */
export type HitRate = (
  key: string,
  rule: { limit: number; windowSeconds: number },
) => Promise<{ isAllowed: boolean; hits: number; retryAfterSeconds: number }>;

/** Calls per window of one account, one visitor, and all visitors of one address. */
interface Rates {
  account: number;
  visitor: number;
  address: number;
  windowSeconds: number;
}

const windowSeconds = 600;
const rates = {
  create: { account: 240, visitor: 40, address: 240, windowSeconds },
  change: { account: 600, visitor: 60, address: 600, windowSeconds },
  upload: { account: 120, visitor: 20, address: 120, windowSeconds },
  verify: { account: 60, visitor: 40, address: 80, windowSeconds },
  transcribe: { account: 60, visitor: 10, address: 80, windowSeconds },
  readings: { account: 1200, visitor: 300, address: 1200, windowSeconds },
  quote: { account: 1200, visitor: 60, address: 600, windowSeconds },
  login: { account: 30, visitor: 30, address: 600, windowSeconds },
  poll: { account: 1800, visitor: 600, address: 6000, windowSeconds },
  export: { account: 60, visitor: 60, address: 600, windowSeconds },
  /** Guesses of codes count for the address of an account, too. */
  redeem: { account: 10, visitor: 10, address: 30, windowSeconds: 3600 },
  share: { account: 60, visitor: 20, address: 60, windowSeconds },
  report: { account: 20, visitor: 10, address: 20, windowSeconds: 3600 },
  /** Cheap reads. Counted in memory, per process. */
  read: { account: 20_000, visitor: 20_000, address: 20_000, windowSeconds: 10 },
  /** Gateways repeat refused notifications. Counted like reads. */
  notify: { account: 100, visitor: 100, address: 100, windowSeconds: 10 },
} satisfies Record<string, Rates>;
type RateKind = keyof typeof rates;

const countedInMemory: ReadonlySet<RateKind> = new Set(["read", "notify"]);

/** Kinds of the calls that are not counted as reads (GET) or changes; null: the call counts codes by phone itself. */
const kinds: Partial<Record<CallName, RateKind | null>> = {
  captcha: null,
  notifyWechat: "notify",
  notifyAlipay: "notify",
  login: "login",
  orderCreate: "create",
  roleCreate: "create",
  proofPrompt: "create",
  proofSubmit: "create",
  consentPrompt: "create",
  consentSubmit: "create",
  cloneCreate: "create",
  dubCreate: "create",
  videoCreate: "create",
  trialCreate: "create",
  speech: "create",
  sample: "create",
  fileUpload: "upload",
  recordingUpload: "upload",
  musicUpload: "upload",
  verify: "verify",
  transcribe: "transcribe",
  readings: "readings",
  dubQuote: "quote",
  roleReport: "report",
  shareReport: "report",
  redeem: "redeem",
  shareCreate: "share",
  consentLinkCreate: "share",
  payResult: "poll",
  proofResult: "poll",
  taskEvents: "poll",
  userExport: "export",
  dubExport: "export",
};

const kindByRoute = new Map<string, RateKind | null>(
  Object.entries(calls).map(([name, { method, path }]) => {
    const kind = kinds[name as CallName];
    return [`${method} ${path}`, kind === undefined ? (method === "GET" ? "read" : "change") : kind];
  }),
);

/** Other paths are files or do not exist: reads. */
function kindOf(c: Context): RateKind | null {
  const method = c.req.method === "HEAD" ? "GET" : c.req.method;
  const kind = kindByRoute.get(`${method} ${c.req.path.replace(/^\/api\/v1/, "")}`);
  return kind === undefined ? "read" : kind;
}

/**
 * Limits calls by kind: an account on its own, a visitor on its own and together with all visitors of its address. Throws
 * too-many (429) with the seconds until the window ends.
 */
export function createRateGuard(hit: HitRate, auth: Pick<Auth, "findCaller">): MiddlewareHandler {
  const hitInMemory = createMemoryRate();
  return async (c, next) => {
    const kind = kindOf(c);
    if (kind) {
      const { windowSeconds, ...limits } = rates[kind];
      const count = countedInMemory.has(kind) ? hitInMemory : hit;
      for (const [scope, key] of await scopesOf(c, auth, kind)) {
        const counted = await count(`${kind}:${scope}:${key}`, { limit: limits[scope], windowSeconds });
        if (apiKeyOf(c) !== "") writeRateHeaders(c, limits[scope], counted);
        if (!counted.isAllowed) throw tooMany(`${kind} by ${scope}`, counted.retryAfterSeconds);
      }
    }
    await next();
  };
}

/** As OpenAI's interface tells them. */
function writeRateHeaders(c: Context, limit: number, { hits, retryAfterSeconds }: Awaited<ReturnType<HitRate>>) {
  c.header("x-ratelimit-limit-requests", String(limit));
  c.header("x-ratelimit-remaining-requests", String(Math.max(0, limit - hits)));
  c.header("x-ratelimit-reset-requests", `${retryAfterSeconds}s`);
}

const tooMany = (scope: string, retryAfterSeconds: number) =>
  new AppError("too-many", `too many calls: ${scope}`, { status: 429, retryAfterSeconds });

/** The visitor first: its refused calls do not count for the address. */
async function scopesOf(c: Context, auth: Pick<Auth, "findCaller">, kind: RateKind) {
  const account = await auth.findCaller(c);
  const address = ["address", addressOf(c)] as const;
  if (account !== null)
    return kind === "redeem" ? ([["account", account], address] as const) : ([["account", account]] as const);
  const visitor = findVisitor(c);
  return visitor === undefined ? [address] : ([["visitor", visitor], address] as const);
}

/** Counts in this process only. All keys share one window. */
function createMemoryRate(): HitRate {
  const hits = new Map<string, number>();
  let endsAt = 0;
  return async (key, { limit, windowSeconds }) => {
    const now = Date.now();
    if (now >= endsAt) {
      hits.clear();
      endsAt = now + windowSeconds * 1000;
    }
    const count = (hits.get(key) ?? 0) + 1;
    hits.set(key, count);
    return { isAllowed: count <= limit, hits: count, retryAfterSeconds: Math.ceil((endsAt - now) / 1000) };
  };
}
