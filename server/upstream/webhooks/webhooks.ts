import { createHmac, randomUUID } from "node:crypto";
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { sql } from "kysely";
import type { CallData } from "~server/contract/calls/table";
import { isPublicHost, publicLookup } from "~server/public-address";
import { toLocalTime } from "../calendar";
import type { Db } from "../db/database";
import { AppError } from "../errors";
import type { JobHandler } from "../jobs/handler";
import type { Queue } from "../jobs/queue";
import { idOfOwner, isAccount, type Owner } from "../owner";
import { deriveKey } from "../sealing";
import type { TaskProgress } from "../task-status";

export type Webhooks = ReturnType<typeof createWebhooks>;

interface WebhookParts {
  db: Db;
  queue: Queue;
  dataKey: string;
  allowed: WebhookAddresses;
}

const jobKind = "webhook";
const keptDays = 30;
const listedMax = 20;
const toldKinds: ReadonlySet<string> = new Set(["clone", "dub", "video"]);
/** Seconds before each further attempt, as Standard Webhooks proposes: more than a day in all. */
const pausesSeconds = [5, 300, 1800, 7200, 18_000, 36_000, 36_000];

/** Tells the servers of accounts what has finished and failed, at one address for each account. */
export function createWebhooks({ db, queue, dataKey, allowed }: WebhookParts) {
  const key = deriveKey(dataKey, "webhook secret");
  const secretOf = (accountId: string, nonce: string) =>
    createHmac("sha256", key).update(`${accountId}\n${nonce}`).digest("base64");
  const enqueue = (trx: Db, id: string, delaySeconds = 0) =>
    queue.enqueue(trx, { kind: jobKind, payload: { id }, delaySeconds });
  /** False without an address. */
  const tell = async (trx: Db, accountId: string, event: { type: string; taskId: string; data: object }) => {
    const { type, taskId, data } = event;
    const body = JSON.stringify({ type, timestamp: new Date().toISOString(), data });
    const { rows } = await sql<{ id: string }>`
      insert into webhook_delivery (account_id, event, task_id, body)
      select account_id, ${type}, ${taskId}, ${body} from webhook where account_id::text = ${accountId}
      returning id`.execute(trx);
    for (const { id } of rows) await enqueue(trx, id);
    return rows.length > 0;
  };
  const deliver: JobHandler<{ id: string }> = {
    async run({ id }, { signal }) {
      const found = await findDelivery(db, id);
      if (found?.state !== "waiting") return undefined;
      const outcome = await send({ ...found, secret: secretOf(found.account_id, found.nonce) }, { allowed, signal });
      const attempts = found.attempts + 1;
      const pause = pausesSeconds[found.attempts];
      const isDelivered = /^2\d\d$/.test(outcome);
      const state = isDelivered ? "delivered" : pause === undefined ? "failed" : "waiting";
      return {
        facts: { outcome, attempts },
        async write(trx) {
          await trx.updateTable("webhook_delivery").set({ state, attempts, outcome }).where("id", "=", id).execute();
          if (state === "waiting") await enqueue(trx, id, pause);
        },
      };
    },
  };
  return {
    read: (accountId: string) => read(db, accountId),
    /** A new secret with every call; the same idempotency key gives the same. Throws bad-request for an address that is not allowed. */
    async put(accountId: string, text: string, idempotencyKey: string = randomUUID()) {
      const url = parseWebhookUrl(text, allowed)?.href;
      if (!url) throw new AppError("bad-request", "not an allowed address", { status: 400, data: { fields: ["url"] } });
      const values = { url, nonce: idempotencyKey };
      await db
        .insertInto("webhook")
        .values({ account_id: accountId, ...values })
        .onConflict((conflict) => conflict.column("account_id").doUpdateSet(values))
        .execute();
      return { url, secret: `whsec_${secretOf(accountId, idempotencyKey)}` };
    },
    async remove(accountId: string) {
      await db.deleteFrom("webhook").where("account_id", "=", accountId).execute();
    },
    /** Sends an event with the fields of real ones. Throws bad-request without an address. */
    async test(accountId: string) {
      const data = { taskId: "test", kind: "clone", status: 2, reason: "" };
      const isTold = await db.transaction().execute((trx) => tell(trx, accountId, { type: "test", taskId: "", data }));
      if (!isTold) throw new AppError("bad-request", "no address", { status: 400 });
      queue.wake();
    },
    /** In the transaction that ends a task. */
    async notify(trx: Db, owner: Owner, { kind, taskId, status, msg }: TaskProgress) {
      if (status === 1 || !isAccount(owner) || !toldKinds.has(kind)) return;
      const type = `${kind}.${status === 2 ? "succeeded" : "failed"}`;
      await tell(trx, idOfOwner(owner), { type, taskId, data: { taskId, kind, status, reason: msg } });
    },
    handlers: { [jobKind]: deliver as JobHandler } as Record<string, JobHandler>,
    async sweep() {
      await sql`delete from webhook_delivery
        where created_at < now() - make_interval(days => ${keptDays}::int)`.execute(db);
    },
    async forget(trx: Db, owner: Owner) {
      if (!isAccount(owner)) return;
      await trx.deleteFrom("webhook_delivery").where("account_id", "=", idOfOwner(owner)).execute();
      await trx.deleteFrom("webhook").where("account_id", "=", idOfOwner(owner)).execute();
    },
  };
}

async function read(db: Db, accountId: string): Promise<CallData<"webhook">> {
  const hook = await db.selectFrom("webhook").select("url").where("account_id", "=", accountId).executeTakeFirst();
  const deliveries = await db
    .selectFrom("webhook_delivery")
    .select(["id as deliveryId", "event", "task_id as taskId", "state", "attempts", "outcome", "created_at"])
    .where("account_id", "=", accountId)
    .orderBy("created_at", "desc")
    .orderBy("id")
    .limit(listedMax)
    .execute();
  const list = deliveries.map(({ created_at, ...row }) => ({ ...row, createdAt: toLocalTime(created_at) }));
  return { url: hook?.url ?? "", deliveries: list };
}

const findDelivery = (db: Db, id: string) =>
  db
    .selectFrom("webhook_delivery")
    .innerJoin("webhook", "webhook.account_id", "webhook_delivery.account_id")
    .select(["webhook_delivery.id", "webhook.account_id", "url", "nonce", "body", "state", "attempts"])
    .where("webhook_delivery.id", "=", id)
    .executeTakeFirst();

interface SignedDelivery {
  id: string;
  url: string;
  body: string;
  /** Base64. */
  secret: string;
}

/** The answer's status, or why there was none. Throws only when the job is to stop. */
async function send(
  { id, url: text, body, secret }: SignedDelivery,
  { allowed, signal }: { allowed: WebhookAddresses; signal: AbortSignal },
): Promise<string> {
  const url = parseWebhookUrl(text, allowed);
  if (!url) return "address not allowed";
  const at = Math.floor(Date.now() / 1000);
  const signature = createHmac("sha256", Buffer.from(secret, "base64")).update(`${id}.${at}.${body}`).digest("base64");
  const headers = {
    "content-type": "application/json",
    "user-agent": "shengxiang-webhooks",
    "webhook-id": id,
    "webhook-timestamp": String(at),
    "webhook-signature": `v1,${signature}`,
  };
  try {
    return String(await postEvent({ url, headers, body, allowed, signal }));
  } catch (error) {
    signal.throwIfAborted();
    const { code, message } = error as NodeJS.ErrnoException;
    return String(code ?? message).slice(0, 200);
  }
}

/** `any` also allows http, private and loopback addresses: for tests, and servers in one's own network. */
type WebhookAddresses = "public" | "any";

/** The address where events may be sent to; null for any other. */
function parseWebhookUrl(text: string, allowed: WebhookAddresses): URL | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  const isAllowed = url.protocol === "https:" || (allowed === "any" && url.protocol === "http:");
  if (!isAllowed || url.username !== "" || url.password !== "") return null;
  return allowed === "any" || isPublicHost(url) ? url : null;
}

interface PostRequest {
  url: URL;
  headers: Record<string, string>;
  body: string;
  allowed: WebhookAddresses;
  signal: AbortSignal;
}

const timeoutMs = 15_000;

/**
 * Sends an event and answers the status; redirects are not followed, and the body of the answer is not read. The connection
 * goes to the address that was checked. Throws where there is no answer in time.
 */
function postEvent({ url, headers, body, allowed, signal }: PostRequest): Promise<number> {
  const send = url.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const sent = send(url, {
      method: "POST",
      headers: { ...headers, "content-length": Buffer.byteLength(body) },
      agent: false,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      ...(allowed === "public" && { lookup: publicLookup }),
    });
    sent.on("error", reject);
    sent.on("response", (response) => {
      resolve(response.statusCode ?? 0);
      response.destroy();
    });
    sent.end(body);
  });
}
