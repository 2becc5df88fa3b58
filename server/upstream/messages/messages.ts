import { sql } from "kysely";
import type { Logger } from "pino";
import type { CallData } from "~server/contract/calls/table";
import { maskPhone } from "../accounts/credentials";
import { dayOf, secondsUntilDaytime } from "../calendar";
import type { Db } from "../db/database";
import type { Once } from "../db/idempotency";
import type { RateLimit } from "../db/rate-limit";
import type { JobHandler, Outcome } from "../jobs/handler";
import type { Queue } from "../jobs/queue";
import { isUnsent, type SmsSender } from "../sms/sender";

interface MessageParts {
  db: Db;
  queue: Queue;
  once: Once;
  hitRate: RateLimit["hit"];
  /** Undefined: nothing is sent. */
  sender: SmsSender | undefined;
  /** By the provider's names; a message without one is not sent. */
  templates: { paid?: string | undefined; expiry?: string | undefined };
  openPhone(sealed: string): string;
  /** When the account's membership ends, in Unix seconds. */
  endOf(accountId: string): Promise<number>;
  /** Calls `tell` once for each membership that ends soon, in the transaction that notes it. */
  takeExpiries(tell: (trx: Db, end: { accountId: string; endsAt: number }) => Promise<void>): Promise<void>;
  now(): Date;
  log: Pick<Logger, "warn">;
}

const perAccountAndDay = { limit: 3, windowSeconds: 86_400 };
/** Seconds before each further try. */
const pausesSeconds = [60, 600, 3600];

const paidKind = "message-paid";
const expiryKind = "message-expiry";

interface MessagePayload {
  /** The order that was paid, or the account whose membership ends. */
  id: string;
  /** Of a membership, in Unix seconds. */
  endsAt?: number;
  /** Tries before this one. */
  tries?: number;
}

interface AddressedMessage {
  accountId: string;
  template: string;
  /** At most six characters each, which is what Tencent Cloud takes. */
  parameters: Record<string, string>;
}

/** In the transaction that pays the order. */
export const enqueuePaid = (queue: Queue, trx: Db, orderId: string) =>
  queue.enqueue(trx, { kind: paidKind, key: orderId, payload: { id: orderId } satisfies MessagePayload });

/** Text messages to payers: that a payment has arrived, and that a membership ends. Each is sent at most once. */
export class Messages {
  readonly handlers: Record<string, JobHandler>;
  readonly #parts: MessageParts;

  constructor(parts: MessageParts) {
    this.#parts = parts;
    const handle = (run: (payload: MessagePayload) => Promise<Outcome | undefined>) =>
      ({ run: (payload) => run(payload as MessagePayload) }) satisfies JobHandler;
    this.handlers = {
      [paidKind]: handle(async (payload) => this.#send(paidKind, payload, await this.#ofPayment(payload))),
      [expiryKind]: handle((payload) => this.#tellExpiry(payload)),
    };
  }

  /** Whether any are sent. */
  get areSent(): boolean {
    const { sender, templates } = this.#parts;
    return sender !== undefined && Boolean(templates.paid || templates.expiry);
  }

  async planExpiries(): Promise<void> {
    const { sender, templates, queue, takeExpiries } = this.#parts;
    if (!sender || !templates.expiry) return;
    await takeExpiries(async (trx, { accountId, endsAt }) => {
      await queue.enqueue(trx, { kind: expiryKind, key: accountId, payload: { id: accountId, endsAt } });
    });
  }

  async read(accountId: string): Promise<CallData<"messages">> {
    const account = this.#parts.db.selectFrom("account").select("messages_off_at").where("id", "=", accountId);
    return { isOn: (await account.executeTakeFirst())?.messages_off_at === null };
  }

  async change(accountId: string, isOn: boolean): Promise<CallData<"messages">> {
    const off = isOn ? null : sql<Date>`coalesce(messages_off_at, now())`;
    await this.#parts.db.updateTable("account").set({ messages_off_at: off }).where("id", "=", accountId).execute();
    return { isOn };
  }

  async #ofPayment({ id }: MessagePayload): Promise<AddressedMessage | null> {
    const { db, templates } = this.#parts;
    const order = await db
      .selectFrom("pay_order")
      .select(["account_id", "amount_fen"])
      .where("id", "=", id)
      .where("state", "=", "PAID")
      .executeTakeFirst();
    if (!order || !templates.paid) return null;
    const parameters = { amount: String(order.amount_fen / 100) };
    return { accountId: order.account_id, template: templates.paid, parameters };
  }

  async #tellExpiry(payload: MessagePayload): Promise<Outcome | undefined> {
    const { endOf, now, templates } = this.#parts;
    const { id, endsAt = 0 } = payload;
    if (!templates.expiry || endsAt * 1000 <= now().getTime() || (await endOf(id)) !== endsAt) return undefined;
    const seconds = secondsUntilDaytime(now());
    if (seconds > 0) return this.#again(expiryKind, payload, seconds);
    const [, month, day] = dayOf(new Date(endsAt * 1000))
      .split("-")
      .map(Number);
    const parameters = { month: String(month), day: String(day) };
    return this.#send(expiryKind, payload, { accountId: id, template: templates.expiry, parameters });
  }

  async #send(kind: string, payload: MessagePayload, message: AddressedMessage | null) {
    const { sender, log } = this.#parts;
    const phone = message && (await this.#phoneOf(message.accountId));
    if (!sender || !phone || !(await this.#claim(kind, payload, message.accountId))) return undefined;
    const { template, parameters } = message;
    const { tries = 0 } = payload;
    try {
      await sender.sendTemplate({ phone, template, parameters });
      return undefined;
    } catch (error) {
      const pause = isUnsent(error) ? pausesSeconds[tries] : undefined;
      if (pause !== undefined) return this.#again(kind, { ...payload, tries: tries + 1 }, pause);
      log.warn({ err: error, message: kind, phone: maskPhone(phone), tries: tries + 1 }, "a text message was not sent");
      return undefined;
    }
  }

  /** Null for an account that is gone, banned or wants none. */
  async #phoneOf(accountId: string): Promise<string | null> {
    const account = await this.#parts.db
      .selectFrom("account")
      .select("phone_sealed")
      .where("id", "=", accountId)
      .where("banned_at", "is", null)
      .where("messages_off_at", "is", null)
      .executeTakeFirst();
    return account ? this.#parts.openPhone(account.phone_sealed) : null;
  }

  /** False where the account has had enough today, and for a try that was begun before: it may have been sent. */
  async #claim(kind: string, { id, endsAt = 0, tries = 0 }: MessagePayload, accountId: string): Promise<boolean> {
    const call = { owner: `account:${accountId}`, call: kind, key: `${id}:${endsAt}:${tries}`, request: "" };
    const { first, answer } = await this.#parts.once(call, async (trx) => {
      if (tries > 0) return true;
      return (await this.#parts.hitRate(`message:${accountId}`, perAccountAndDay, trx)).isAllowed;
    });
    return first && answer;
  }

  #again(kind: string, payload: MessagePayload, delaySeconds: number): Outcome {
    return {
      write: async (trx) => {
        await this.#parts.queue.enqueue(trx, { kind, key: payload.id, payload, delaySeconds });
      },
    };
  }
}
