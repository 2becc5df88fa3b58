import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { CallData } from "~server/contract/calls/table";
import { md5 } from "./billing";

/** The answer to one request of the load; status 0: none arrived. */
interface LoadAnswer {
  begunAt: number;
  status: number;
  text: string;
}

interface Envelope<Data> {
  code: number;
  data: Data;
}

/** A member who uses one api server without a pause, and repeats what failed under its key until it is confirmed. */
export class LoadMember {
  readonly answers: LoadAnswer[] = [];
  /** What the server has confirmed. */
  readonly clones: string[] = [];
  readonly paidOrders: string[] = [];
  /** Clones that events reported as done. */
  readonly doneByEvents = new Set<string>();
  #token = "";
  #lastEvent = 0;
  #running: Promise<unknown> = Promise.resolve();
  readonly #stopping = new AbortController();
  readonly #leaving = new AbortController();

  constructor(
    readonly apiUrl: string,
    readonly phone: string,
  ) {}

  /** Sends a request once. */
  send(path: string, init: RequestInit = {}): Promise<Response> {
    const caller = { appid: "shengxiang", token: this.#token, "x-visitor-id": `visitor-of-${this.phone}` };
    const address = { "x-forwarded-for": `198.51.100.${this.phone.slice(-2)}` };
    const headers = { ...caller, ...address, "content-type": "application/json", ...init.headers };
    return fetch(`${this.apiUrl}/api/v1${path}`, { ...init, headers });
  }

  /** The first answer other than a failure. */
  async get<Data>(path: string, init: RequestInit = {}): Promise<Envelope<Data>> {
    for (;;) {
      const begunAt = performance.now();
      const answer = await this.send(path, init).catch(() => null);
      const text = (await answer?.text().catch(() => "")) ?? "";
      this.answers.push({ begunAt, status: answer?.status ?? 0, text });
      if (answer?.status === 200) return JSON.parse(text);
      await sleep(100, undefined, { signal: this.#leaving.signal });
    }
  }

  async post<Data>(path: string, body: object): Promise<Data> {
    const init = { method: "POST", body: JSON.stringify(body), headers: { "idempotency-key": randomUUID() } };
    const { code, data } = await this.get<Data>(path, init);
    if (code !== 0) throw new Error(`${path} answered ${code}: ${JSON.stringify(data)}`);
    return data;
  }

  async logIn() {
    const { demoCode } = await this.post<CallData<"captcha">>("/code/captcha", { phone: this.phone });
    const login = { phone: this.phone, verifyCode: demoCode };
    const { token } = await this.post<CallData<"login">>("/users/login", login);
    this.#token = token;
  }

  /** Orders a package, pays for it at the sandbox and waits until it is granted. */
  async buy(pCode: string) {
    const request = { pCode, sign: md5(pCode), platform: 1 };
    const { orderId, url } = await this.post<CallData<"orderCreate">>("/pay/order/qrcode", request);
    // A repeated payment is refused: the first one was made.
    const payment = JSON.stringify({ id: url.split("/").at(-1), lever: "pay" });
    await this.get("/sandbox/cashier", { method: "POST", body: payment });
    const asked = { orderId, sign: md5(orderId) };
    const isPaid = async () => (await this.post<CallData<"payResult">>("/pay/result", asked)).result === "success";
    while (!(await isPaid())) await sleep(100);
    this.paidOrders.push(orderId);
  }

  /** Begins to buy, to speak, to read and to follow events. */
  start(roleId: string) {
    const until = async ({ signal }: AbortController, pauseMs: number, act: (n: number) => Promise<unknown>) => {
      for (let n = 0; !signal.aborted; n++) {
        await act(n);
        await sleep(pauseMs);
      }
    };
    const speak = async (n: number) => {
      const clone = { content: `这是第${n}句。`, roleId };
      this.clones.push((await this.post<CallData<"cloneCreate">>("/voice/create", clone))?.voiceId ?? "");
    };
    void until(this.#leaving, 100, () => this.#follow().catch(() => {}));
    this.#running = Promise.all([
      until(this.#stopping, 600, speak),
      until(this.#stopping, 300, () => this.buy("pack-1")),
      until(this.#stopping, 50, () => this.get("/voice/list?page=1")),
    ]);
    // `stop` reports it.
    this.#running.catch(() => {});
  }

  /** Resolves when all that was begun is confirmed. Events are followed until `leave`. */
  async stop() {
    this.#stopping.abort();
    await this.#running;
  }

  /** Also gives up what is not confirmed. */
  leave() {
    this.#stopping.abort();
    this.#leaving.abort();
  }

  /** Reads events until the stream ends. */
  async #follow() {
    const answer = await this.send(`/tasks/events?since=${this.#lastEvent}`, { signal: this.#leaving.signal });
    const decoder = new TextDecoder();
    let text = "";
    for await (const piece of answer.body as unknown as AsyncIterable<Uint8Array>) {
      const blocks = (text + decoder.decode(piece, { stream: true })).split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) {
        const event = /^data: (.*)$/m.exec(block)?.[1];
        if (!event) continue;
        const { taskId, status } = JSON.parse(event) as CallData<"taskEvents">;
        if (status === 2) this.doneByEvents.add(taskId);
        this.#lastEvent = Number(/^id: (.*)$/m.exec(block)?.[1]);
      }
    }
  }
}
