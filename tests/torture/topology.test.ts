import { existsSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { bffPaths } from "~/call";
import { paths } from "~/paths";
import { checkInstallation } from "../api/conformance/installation";
import type { CheckResult } from "../api/conformance/suite";
import { type Browser, logInAs, openBrowser } from "../support/browser";
import { type Cluster, type ClusterProcess, startCluster } from "../support/cluster";
import { findPostgres } from "../support/postgres";
import type { Product } from "../support/product";
import { startTopology } from "../support/topology";
import { recordingForm } from "../support/upstream";

interface Made {
  record: { taskId: string; status: number; segDone: number; segTotal: number; characters: number };
}
interface Seen {
  page: { records: Array<Made["record"]>; total: number };
  allowance: { left: number };
}

const someone = "someone-of-the-topology-test";
const sentences = Array.from({ length: 12 }, (_, n) => `这是第${n}句话，要从容地、慢慢地把它说完。`).join("");

// Processes of the real build: two webs, two apis, three workers, one PostgreSQL, one bucket.
describe.runIf(findPostgres() && existsSync("build/server/index.js"))("several servers of each kind", () => {
  let cluster: Cluster;
  let first: Product;
  let browser: Browser;
  const at = (members: ClusterProcess[], n: number) => members[n]?.url ?? "";
  beforeAll(async () => {
    const started = await startCluster();
    if (!started) throw new Error("no PostgreSQL");
    cluster = started;
    first = await cluster.startWorker();
    browser = await openBrowser(cluster.site.url);
    expect(await cluster.ops("migrate")).toBe("nothing to do\n");
    expect(await cluster.ops("doctor")).toMatch(/^ok +database +PostgreSQL[\s\S]+\nok +storage[\s\S]+\nok +speech/m);
    const phone = await logInAs(browser, cluster.site.url);
    await cluster.ops(
      "grant",
      "--phone",
      phone,
      "--tier",
      "vip",
      "--days",
      "30",
      "--operator",
      "test",
      "--reason",
      "a test",
    );
  });
  afterAll(async () => {
    browser?.close();
    await cluster?.close();
  });

  const look = async (): Promise<Seen> => {
    const seen = (await (await browser.get(cluster.site.url + bffPaths.clones)).json()) as Seen;
    if (!seen.page) throw new Error(JSON.stringify(seen));
    return seen;
  };

  it("pass the conformance suite behind a load balancer", async () => {
    expectConformance(await checkInstallation(cluster.api.url, "13700000001"));
  });

  it("serve a file from any server, wherever it was uploaded", async () => {
    const form = recordingForm();
    const url = at(cluster.webs, 0) + bffPaths.upload("recordingUpload");
    const { voicePath } = await browser.post<{ voicePath: string }>(url, form);
    const sent = Buffer.from(await (form.get("file") as File).arrayBuffer());
    for (let n = 0; n < 4; n++) {
      const answer = await browser.get(at(cluster.webs, n % 2) + paths.media(voicePath));
      expect(Buffer.from(await answer.arrayBuffer()).equals(sent)).toBe(true);
    }
  });

  it("execute concurrent identical requests once and share their counters", async () => {
    const ask = async (n: number, path: string, body: object, headers = {}) => {
      const own = { appid: "shengxiang", token: "", "x-visitor-id": someone, "content-type": "application/json" };
      const init = { method: "POST", headers: { ...own, ...headers }, body: JSON.stringify(body) };
      return (await fetch(`${at(cluster.apis, n % 2)}/api/v1${path}`, init)).json() as Promise<{
        code: number;
        msg: string;
        data: { taskId: string };
      }>;
    };
    const roles = await fetch(`${at(cluster.apis, 0)}/api/v1/role/common/home?size=1`, {
      headers: { appid: "shengxiang" },
    });
    const [role] = ((await roles.json()) as { data: Array<{ roleId: string }> }).data;
    const trial = { content: "只说一次。", roleId: role?.roleId };
    const requests = Array.from({ length: 10 }, (_, n) =>
      ask(n, "/voice/try/create", trial, { "idempotency-key": "the-same-key" }),
    );
    const answers = await Promise.all(requests);
    expect(answers.map(({ code }) => code)).toEqual(Array(10).fill(0));
    expect(new Set(answers.map(({ data }) => data.taskId)).size).toBe(1);

    const codes = await Promise.all([0, 1, 2, 3].map((n) => ask(n, "/code/captcha", { phone: "13512345678" })));
    expect(codes.filter(({ code }) => code === 0)).toHaveLength(1);
  });

  it("log a request under one id at the web and at the api", async () => {
    const answer = await browser.get(at(cluster.webs, 0) + bffPaths.clones);
    const line = `"requestId":"${answer.headers.get("x-request-id")}"`;
    await vi.waitFor(() => {
      expect(cluster.webs[0]?.output()).toContain(line);
      expect(cluster.apis.map((api) => api.output()).join("")).toContain(line);
    });
  });

  it("send events at one web for a task created at another", async () => {
    const listener = browser.events(at(cluster.webs, 0) + bffPaths.events(0));
    const roleId = await someRole(browser, at(cluster.webs, 1));
    const { record } = await browser.post<Made>(at(cluster.webs, 1) + bffPaths.clones, {
      content: "说给另一边听。",
      roleId,
    });
    for await (const { event, data } of listener) {
      if (event === "task" && JSON.stringify(data).includes(record.taskId)) return;
    }
    throw new Error("the events ended");
  });

  it("finish a killed worker's task, charge it once, and lose no request during restarts", async () => {
    const before = (await look()).allowance.left;
    const roleId = await someRole(browser, cluster.site.url);
    const { record } = await browser.post<Made>(cluster.site.url + bffPaths.clones, { content: sentences, roleId });
    const found = async () => {
      const clone = (await look()).page.records.find(({ taskId }) => taskId === record.taskId);
      if (!clone) throw new Error("the clone is gone");
      return clone;
    };
    await vi.waitFor(async () => expect((await found()).segDone).toBeGreaterThan(0), {
      timeout: 150_000,
      interval: 50,
    });
    const atKill = await found();
    await first.stop("SIGKILL");
    const others = await Promise.all([cluster.startWorker(), cluster.startWorker()]);

    const load = openLoad(cluster, browser);
    for (const web of cluster.webs) await web.restart(cluster.site);
    for (const api of cluster.apis) await api.restart(cluster.api);
    const { requests, failures } = await load.stop();
    expect({ failures, broken: [...cluster.site.broken, ...cluster.api.broken] }).toEqual({ failures: [], broken: [] });
    expect(requests).toBeGreaterThan(50);

    await vi.waitFor(async () => expect((await found()).status).toBe(2), { timeout: 300_000, interval: 200 });
    const clone = await found();
    expect(atKill.status).toBe(1);
    expect(clone.segDone).toBe(clone.segTotal);
    expect(before - (await look()).allowance.left).toBe(clone.characters);
    for (const worker of others) expect(worker.process.exitCode).toBeNull();
  }, 600_000);
});

describe.runIf(existsSync("build/server/index.js"))("the conformance suite", () => {
  it.each(["one-process", "separate"] as const)(
    "passes in the layout %s",
    async (name) => {
      const topology = await startTopology(name);
      if (!topology) return;
      try {
        expectConformance(await checkInstallation(topology.apiUrl, "13700000002"));
      } finally {
        await topology.stop();
      }
    },
    240_000,
  );
});

function expectConformance(outcomes: CheckResult[]) {
  expect(outcomes.filter(({ result }) => result === "fail")).toEqual([]);
  const passed = new Set(outcomes.filter(({ result }) => result === "pass").map(({ call }) => call));
  expect([...passed]).toEqual(
    expect.arrayContaining(["login", "recordingUpload", "trialCreate", "userInfo", "orders"]),
  );
}

async function someRole(browser: Browser, site: string): Promise<string> {
  const { voices } = (await (await browser.get(site + bffPaths.squareVoices)).json()) as {
    voices: Array<{ roleId: string }>;
  };
  return voices[0]?.roleId ?? "";
}

/** Clients that request pages, JSON and the API until stopped. */
function openLoad({ site, api }: Cluster, browser: Browser) {
  let isOver = false;
  let requests = 0;
  const failures: string[] = [];
  const headers = { appid: "shengxiang", token: "", "x-visitor-id": someone };
  const asks = [
    () => browser.get(site.url + paths.verify),
    () => browser.get(site.url + bffPaths.clones),
    () => fetch(`${api.url}/api/v1/role/common/home?size=3`, { headers }),
    () => fetch(`${site.url}${bffPaths.trialResult("none")}`),
  ];
  const people = asks.map(async (ask) => {
    while (!isOver) {
      try {
        const answer = await ask();
        await answer.arrayBuffer();
        if (answer.status >= 500) failures.push(`${answer.url} answered ${answer.status}`);
      } catch (error) {
        failures.push(String(error));
      }
      requests += 1;
    }
  });
  return {
    async stop() {
      isOver = true;
      await Promise.all(people);
      return { requests, failures };
    },
  };
}
