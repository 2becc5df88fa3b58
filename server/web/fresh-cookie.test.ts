import type { LoaderFunctionArgs } from "@remix-run/node";
import { afterAll, expect, test } from "vitest";
import { closeWebApps, startWebApp } from "../../tests/support/web-app";

afterAll(closeWebApps);

const human = { roleId: "1", name: "A" };

/** Two servers of the site before one upstream, as behind a load balancer; `asked` holds each call's cache-control. */
async function startServers() {
  const asked: Array<string | null> = [];
  const api = (request: Request) => {
    asked.push(request.headers.get("cache-control"));
    return Response.json({ code: 0, data: [human], msg: "" });
  };
  const loader = async ({ context }: LoaderFunctionArgs) =>
    Response.json(await context.upstream.call("squareHome", { size: 12 }));
  const start = () => startWebApp({ api, data: { loader, action: () => null } });
  return { asked, urls: [(await start()).url, (await start()).url] as const };
}

test("a changing request's answer sets the cookie with which another server asks for the present state", async () => {
  const { asked, urls } = await startServers();
  const read = (url: string, cookie = "") => fetch(`${url}/data/1`, { headers: { cookie } });
  for (const url of urls) expect((await read(url)).headers.getSetCookie().join()).not.toContain("fresh=");
  await read(urls[1]);
  expect(asked).toEqual([null, null]);
  const change = await fetch(`${urls[0]}/data/1`, { method: "POST", headers: { origin: urls[0] } });
  const cookie = change.headers.getSetCookie().find((one) => one.startsWith("fresh=")) ?? "";
  expect(cookie).toBe("fresh=1; Path=/; HttpOnly; SameSite=Lax; Max-Age=6");
  await read(urls[1], "fresh=1");
  expect(asked).toEqual([null, null, "no-cache"]);
  await read(urls[1]);
  expect(asked).toHaveLength(3);
});
