import { expect, test } from "vitest";
import { jsonRoute, toResponse } from "./json-route.server";
import { toRefusal, UpstreamRefusal } from "./refusal.server";
import { createUpstreamClient } from "./upstream.server";

const logger = { warn: () => {} };

async function answerTo(response: Response): Promise<Response> {
  const upstream = createUpstreamClient({ fetch: () => response, appId: "app", logger }).as(() => ({}));
  return toResponse(
    toRefusal(
      await upstream.call("squareHome", {}).then(
        () => null,
        (error: unknown) => error,
      ),
    ),
  );
}

const tooMany = { code: 7, data: { reason: "too-many" }, msg: "too-many" };

test.each([
  ["an envelope", Response.json(tooMany, { status: 429, headers: { "retry-after": "421" } })],
  ["no envelope", new Response("slow down", { status: 429, headers: { "retry-after": "421" } })],
])("a 429 forwards Retry-After, with %s", async (_, response) => {
  const answer = await answerTo(response);
  expect(answer.status).toBe(429);
  expect(answer.headers.get("retry-after")).toBe("421");
  expect(await answer.json()).toMatchObject({ refusal: { code: "too-many" } });
});

test.each(["", "soon", "-1", "99999999"])("a Retry-After of %j is dropped", async (value) => {
  const answer = await answerTo(Response.json(tooMany, { status: 429, headers: { "retry-after": value } }));
  expect(answer.headers.has("retry-after")).toBe(false);
});

test.each([
  ["login-expired", 401, 1],
  ["account-banned", 403, 1],
  ["forbidden", 403, 0],
  ["cancelled", 499, 0],
] as const)("a call that is refused as %s answers %i and ends the session %i times", async (code, status, ends) => {
  let ended = 0;
  const context = { session: { logOut: () => ended++ } };
  const route = jsonRoute(() => {
    throw new UpstreamRefusal({ code });
  });
  const answer = await route({ request: new Request("http://localhost/"), context, params: {} } as never);
  expect({ status: answer.status, ended }).toEqual({ status, ended: ends });
});
