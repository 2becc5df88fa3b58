import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { paths } from "~/paths";
import { logInByRequest } from "../support/browser-login";
import { expect, test } from "./fixtures";

const kB = 1000;
const { home, square, subscribe, login, verify, service, clone, role, dubbing, slides } = paths;

for (const [path, maxBytes, isMember] of [
  [home, 170 * kB, false],
  ...[square, subscribe, login, verify, service].map((page) => [page, 200 * kB, false] as const),
  ...[home, clone, role, dubbing, slides].map((page) => [page, 200 * kB, true] as const),
] as const)
  test(`${path} loads at most ${maxBytes / kB} kB of scripts for a ${isMember ? "member" : "visitor"}`, async ({
    page,
    productUrl,
  }) => {
    if (isMember) await logInByRequest(page.request, productUrl);
    const scripts = new Set<string>();
    page.on("response", (response) => {
      if (/javascript/.test(response.headers()["content-type"] ?? "")) scripts.add(response.url());
    });
    await page.goto(path, { waitUntil: "networkidle" });
    const sizes: number[] = [];
    for (const url of scripts) sizes.push(gzipSync(await (await page.request.get(url)).body()).byteLength);
    expect(sizes.length).toBeGreaterThan(3);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(maxBytes);
  });

test("the browser's files hold nothing of the server", () => {
  const assets = fileURLToPath(new URL("../../build/client/assets", import.meta.url));
  const scripts = readdirSync(assets).filter((name) => name.endsWith(".js"));
  const server = /from ?"node:|__vite-browser-external|SESSION_SECRET|postgres(?:ql)?:\/\//;
  expect(scripts.length).toBeGreaterThan(10);
  expect(scripts.filter((name) => server.test(readFileSync(`${assets}/${name}`, "utf8")))).toEqual([]);
});

test("a page for visitors without a cookie holds nothing of the person who asks", async ({ productUrl }) => {
  const readers: Array<Record<string, string>> = [
    { "user-agent": "Reader/1", "accept-language": "zh-CN", "x-forwarded-for": "10.250.1.1" },
    { "user-agent": "Reader/2", referer: productUrl, "x-forwarded-for": "10.250.2.2", "x-request-id": "r".repeat(36) },
  ];
  for (const path of [home, square, subscribe, login, verify, service, clone, role, dubbing, slides]) {
    const seen = [];
    for (const [number, headers] of readers.entries()) {
      // Each address has its own render.
      const answer = await fetch(`${productUrl}${path}?reader=${number}`, { headers });
      const nonce = /'nonce-([^']+)'/.exec(answer.headers.get("content-security-policy") ?? "")?.[1] ?? "none";
      const html = await answer.text();
      expect(html).toContain(nonce);
      expect(html).toContain('<meta content="light dark" name="color-scheme"/>');
      seen.push(html.replaceAll(nonce, "").replace(new RegExp(`reader(=|%3D)${number}`, "g"), ""));
    }
    expect(seen[0]).toBe(seen[1]);
  }
});
