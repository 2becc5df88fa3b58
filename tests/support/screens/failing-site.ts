import { request as ask, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Product, startProduct } from "../product";

/** List calls whose failure the pages show separately. */
const failing =
  /^\/api\/v1\/(voice\/list|voice\/role\/list|dubbing\/list|role\/common\/(list|home)|users\/ledger|pay\/orders)/;

/** Starts pages over another product's `/api/v1` with failing list calls. Sessions are valid on both. */
export async function startFailingSite(apiUrl: string, env: Record<string, string>): Promise<Product> {
  const relay = createServer((incoming, answer) => {
    const { method = "GET", url = "", headers } = incoming;
    if (failing.test(url)) return void answer.writeHead(502).end();
    const passed = ask(new URL(url, apiUrl), { method, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    passed.on("error", () => answer.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => relay.listen(0, "127.0.0.1", resolve));
  const { port } = relay.address() as AddressInfo;
  const site = await startProduct({ ...env, ROLE: "web", API_BASE_URL: `http://127.0.0.1:${port}` });
  return {
    ...site,
    async stop() {
      await site.stop();
      relay.closeAllConnections();
      await new Promise((resolve) => relay.close(resolve));
    },
  };
}
