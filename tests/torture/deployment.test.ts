import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { ofCompose, ofKubernetes } from "../support/deployment";
import { findPostgres, freePort, startPostgres } from "../support/postgres";
import { type Product, startProduct } from "../support/product";

const closers: Array<() => Promise<unknown>> = [];
afterAll(async () => {
  for (const close of closers.reverse()) await close();
});

// The real build with the settings of the documented layouts, except for the addresses of database, files and api.
describe.runIf(findPostgres() && existsSync("build/server/index.js"))("in production mode", () => {
  const dataDir = mkdtempSync(join(tmpdir(), "deployment-"));
  closers.push(async () => rmSync(dataDir, { recursive: true, force: true }));

  it.each([
    ["compose.yaml", ofCompose(), "compose"],
    ["docs/kubernetes", ofKubernetes(), "kubernetes"],
  ])(
    "web and api of %s serve the home page together",
    async (_layout, processes, prefix) => {
      const postgres = await startPostgres(findPostgres() ?? "");
      closers.push(() => postgres.stop());
      const start = async (role: string, change: Record<string, string>): Promise<Product> => {
        const env = processes.find(({ name }) => name === `${prefix} ${role}`)?.env ?? {};
        const loopback = { TRUSTED_PROXIES: "127.0.0.1 ::1", DRAIN_SECONDS: "0", S3_ENDPOINT: "", S3_BUCKET: "" };
        const own = { ...loopback, DATA_DIR: dataDir, PORT: String(await freePort()), ...change };
        const product = await startProduct({ ...env, ...own });
        closers.push(() => product.stop());
        return product;
      };
      const api = await start("api", { DATABASE_URL: postgres.url });
      const web = await start("web", { API_BASE_URL: api.url });
      const proxied = { "x-forwarded-host": "voice.example.com", "x-forwarded-proto": "https" };
      const page = await fetch(web.url, { headers: proxied });
      expect(page.status).toBe(200);
      const shown = await fetch(`${api.url}/api/v1/role/common/home?size=1`, { headers: { appid: "shengxiang" } });
      const { data } = (await shown.json()) as { data: Array<{ name: string }> };
      expect(data).toHaveLength(1);
      expect(await page.text()).toContain(data[0]?.name);
    },
    300_000,
  );
});
