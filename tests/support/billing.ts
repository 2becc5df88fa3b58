import { createHash, randomUUID } from "node:crypto";
import { Hono } from "hono";
import { sql } from "kysely";
import { createPublicVersion } from "~server/public-reads";
import { createAuth } from "~server/upstream/api/auth";
import { createErrorHandler } from "~server/upstream/api/envelope";
import { createCashierRoutes, createNotifyRoutes, createPayRoutes } from "~server/upstream/api/pay";
import { createAnswerShared } from "~server/upstream/api/public-answers";
import type { Anomaly } from "~server/upstream/billing/anomalies";
import { type Billing, createBilling } from "~server/upstream/billing/billing";
import { createOperations, type Operations } from "~server/upstream/billing/operations";
import type { BillingParts } from "~server/upstream/billing/parts";
import type { DatabaseHandle, Db } from "~server/upstream/db/database";
import { createOnce } from "~server/upstream/db/idempotency";
import { seedProducts } from "~server/upstream/db/seed/products";
import { claim } from "~server/upstream/jobs/claims";
import { createQueue } from "~server/upstream/jobs/queue";
import { createRunner } from "~server/upstream/jobs/runner";
import type { Gateway } from "~server/upstream/payments/gateway";
import { createSandbox, type Sandbox } from "~server/upstream/payments/gateways/sandbox/sandbox";
import { openTestDatabase, type TestEngine } from "./database";

export interface ApiResponse<Data = Record<string, unknown>> {
  status: number;
  code: number;
  msg: string;
  data: Data;
}

export interface Order {
  orderId: string;
  url: string;
  sign: string;
  expireAt: number;
  /** Absent if the link is valid as long as the order. */
  urlExpireAt?: number;
  price: number;
}

export type CashierAction = "pay" | "fail" | "late" | "duplicate" | "tamper" | "double";

/** Billing with a fake clock; no job runs by itself: `work` runs the due ones. */
export interface TestBilling {
  db: Db;
  app: Hono;
  billing: Billing;
  sandbox: Sandbox;
  operations: Operations;
  anomalies: Anomaly[];
  gateways: BillingParts["gateways"];
  now(): Date;
  /** Advances the clock of billing, gateway and queue. */
  advance(seconds: number): Promise<void>;
  set(at: Date): void;
  /** Runs the due jobs until there are none. */
  work(kinds?: string[]): Promise<void>;
  close(): Promise<void>;
}

/** Wraps the gateway for a test. */
export type GatewayWrapper = (gateway: Gateway) => Gateway;

export async function openTestBilling(
  engine: TestEngine,
  around: GatewayWrapper = (gateway) => gateway,
  alipay?: Gateway,
): Promise<TestBilling> {
  const handle = await openTestDatabase(engine);
  const setup = await createTestBilling(handle, { around, alipay });
  return { ...setup, close: handle.close };
}

/** Several instances on one database act as several servers. */
export async function createTestBilling(
  { db }: Pick<DatabaseHandle, "db">,
  {
    around = (gateway) => gateway,
    alipay,
    referral = { characters: 0, monthMax: 0 },
    onPaid = async () => {},
  }: { around?: GatewayWrapper; alipay?: Gateway | undefined } & Partial<
    Pick<BillingParts, "referral" | "onPaid">
  > = {},
) {
  await seedProducts(db);
  let offsetMs = 0;
  const now = () => new Date(Date.now() + offsetMs);
  const queue = createQueue();
  const anomalies: Anomaly[] = [];
  const sandbox = await createSandbox({ db, queue, mode: "demo", cashierUrl: (id) => `/cashier/${id}`, now });
  const gateway = around(sandbox.gateway);
  const gateways = { 1: gateway, 2: alipay ?? gateway };
  const billing = createBilling({
    db,
    queue,
    once: createOnce(db),
    gateways,
    referral,
    onPaid,
    now,
    alert: (anomaly) => anomalies.push(anomaly),
  });
  const app = createApp(billing, sandbox);
  const deliver: Parameters<Sandbox["createHandlers"]>[0] = async ({ headers, body }) => {
    const response = await app.request("/pay/notify/sandbox", { method: "POST", headers, body });
    return { status: response.status as 200, contentType: "text/plain", body: await response.text() };
  };
  const handlers = { ...billing.handlers, ...sandbox.createHandlers(deliver) };
  const run = createRunner({
    db,
    queue,
    handlers,
    times: { leaseSeconds: 60, heartbeatMs: 5000, backoffSeconds: 1 },
    signal: new AbortController().signal,
    onError: () => {},
    onDone: () => {},
  });
  return {
    db,
    app,
    billing,
    sandbox,
    anomalies,
    handlers,
    gateways,
    operations: createOperations(
      { db, queue, now, gateways, reconcile: billing.reconcile },
      { operator: "tester", reason: "a test" },
    ),
    now,
    async advance(seconds: number) {
      offsetMs += seconds * 1000;
      await sql`update job set run_at = run_at - make_interval(secs => ${seconds}::float8) where state = 'ready'`.execute(
        db,
      );
    },
    set(at: Date) {
      offsetMs = at.getTime() - Date.now();
    },
    async work(kinds = Object.keys(handlers)) {
      for (let job = await claim(db, kinds, 60); job; job = await claim(db, kinds, 60)) await run(job);
    },
  };
}

/** /api/v1's billing calls; a token identifies its account. */
function createApp(billing: Billing, sandbox: Sandbox): Hono {
  const app = new Hono();
  app.onError(createErrorHandler(() => {}));
  const auth = createAuth(async (token) => token);
  const answerShared = createAnswerShared(createPublicVersion());
  app.route(
    "/",
    createNotifyRoutes(billing, (_, next) => next()),
  );
  app.route("/", createPayRoutes(billing, auth, answerShared));
  app.route("/", createCashierRoutes(sandbox.cashier, auth));
  return app;
}

export const md5 = (text: string) => createHash("md5").update(text).digest("hex");

export interface Payer {
  account: string;
  get<Data = Record<string, unknown>>(path: string): Promise<ApiResponse<Data>>;
  post<Data = Record<string, unknown>>(path: string, body: object, headers?: object): Promise<ApiResponse<Data>>;
  order(
    pCode: string,
    more?: { platform?: 1 | 2; tradeType?: "h5" | "jsapi"; payer?: string; key?: string },
  ): Promise<ApiResponse<Order>>;
  result(order: Pick<Order, "orderId">): Promise<string>;
  /** Pays like a customer with a phone. */
  pull(order: Pick<Order, "url">, lever: CashierAction): Promise<ApiResponse>;
}

export function createPayer({ app }: Pick<TestBilling, "app">, account: string = randomUUID()): Payer {
  const answer = async <Data>(response: Response): Promise<ApiResponse<Data>> => ({
    status: response.status,
    ...((await response.json()) as Omit<ApiResponse<Data>, "status">),
  });
  const post = async <Data = Record<string, unknown>>(path: string, body: object, headers: object = {}) => {
    const sent = { token: account, "content-type": "application/json", ...headers };
    return answer<Data>(await app.request(path, { method: "POST", body: JSON.stringify(body), headers: sent }));
  };
  return {
    account,
    post,
    get: async (path) => answer(await app.request(path, { headers: { token: account } })),
    order: (pCode, { platform = 1, key = randomUUID(), ...more } = {}) =>
      post("/pay/order/qrcode", { pCode, sign: md5(pCode), platform, ...more }, { "idempotency-key": key }),
    async result({ orderId }) {
      return String((await post("/pay/result", { orderId, sign: md5(orderId) })).data.result);
    },
    pull: ({ url }, lever) => post("/sandbox/cashier", { id: url.split("/").at(-1), lever }),
  };
}
