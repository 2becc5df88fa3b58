import { expect, test } from "vitest";
import { findConsoleMe } from "./console.server";
import { createUpstreamClient } from "./upstream.server";

const visitTo = (answer: () => Response) => {
  const logger = { warn: () => {} };
  const upstream = createUpstreamClient({ fetch: answer, appId: "a", logger }).as(() => ({}));
  return { request: new Request("http://site.test/console/login"), context: { upstream, isSecure: false } };
};

test("the console of an upstream without one is 404, also without a login", async () => {
  const missing = [
    () => new Response("", { status: 404 }),
    () => Response.json({ code: 404, data: null, msg: "接口不存在" }, { status: 404 }),
  ];
  for (const answer of missing) {
    const thrown: unknown = await findConsoleMe(visitTo(answer)).catch((error: unknown) => error);
    expect(thrown).toMatchObject({ status: 404 });
  }
});

test("an operator without a login is none", async () => {
  expect(await findConsoleMe(visitTo(() => Response.json({ code: 5, data: null, msg: "" })))).toBeNull();
});
