import { Hono } from "hono";
import { expect, test } from "vitest";
import { answerTexts } from "~server/in-process";
import { answer } from "./envelope";

test("the text of an answer is known without reading its body, behind middleware that sets headers", async () => {
  const app = new Hono();
  app.use(async (c, next) => {
    c.header("x-request-id", "1");
    await next();
  });
  app.get("/", (c) => answer(c, { name: "小雨" }));
  const response = await app.request("/");
  const { "content-type": type, "x-request-id": id } = Object.fromEntries(response.headers);
  expect([response.status, type, id]).toEqual([200, "application/json", "1"]);
  expect(answerTexts.get(response)).toBe(await response.text());
});
