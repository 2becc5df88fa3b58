import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { calls } from "~server/contract/calls/table";
import { jsonMaxBytes } from "~server/contract/limits";
import { openApiDocument } from "~server/contract/openapi";
import { testEngines } from "../support/database";
import { createVisitor, openTestUpstream, type TestUpstream } from "../support/upstream";

interface DescribedAnswer {
  description: string;
  content?: object;
  $ref?: string;
}

describe.each(testEngines)("every call on %s", (engine) => {
  let upstream: TestUpstream;
  beforeAll(async () => {
    upstream = await openTestUpstream(engine);
  });
  afterAll(() => upstream.close());
  const visitor = () => createVisitor(upstream.services);

  it("requires the configured appid", async () => {
    for (const appid of ["", "another"]) {
      const answer = await visitor().get("/role/common/home", { appid });
      expect(answer).toMatchObject({ status: 403, code: 7, msg: "forbidden", data: { reason: "forbidden" } });
    }
  });

  it.each(["", "stale", "' or 1=1 --"])("rejects the token %j", async (token) => {
    expect(await visitor().get("/users/info", { token })).toEqual({
      status: 200,
      code: 5,
      msg: "login-expired",
      data: { reason: "login-expired" },
    });
  });

  it.each(["/nothing", "/voice/try", "/role/common/home/x"])("returns 404 for the unknown call %s", async (path) => {
    expect(await visitor().get(path)).toMatchObject({ status: 404, code: 7, msg: "not-found" });
  });

  it.each([
    ["no JSON", "{"],
    ["an array", "[]"],
    ["null", "null"],
    ["numbers for text", '{"content": 1}'],
    ["a prototype", '{"__proto__": {"content": "x"}}'],
    ["deep JSON", "[".repeat(20_000)],
  ])("refuses %s", async (_, body) => {
    const headers = { appid: "test-app", "x-visitor-id": "visitor-1", "content-type": "application/json" };
    const request = new Request("http://upstream/api/v1/voice/try/create", { method: "POST", body, headers });
    const response = await upstream.services.fetch(request);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 7, msg: "bad-request" });
  });

  it("limits the size of JSON bodies", async () => {
    const answer = await visitor().post("/voice/try/create", { content: "字".repeat(Math.ceil(jsonMaxBytes / 3)) });
    expect(answer).toMatchObject({ status: 413, code: 7, msg: "too-large" });
  });

  it("returns a valid request id and replaces an invalid one", async () => {
    const idFor = async (id: string) =>
      (await visitor().file("/api/v1/role/common/home", { "x-request-id": id })).headers.get("x-request-id");
    expect(await idFor("abc-123")).toBe("abc-123");
    expect(await idFor("a b;c")).toMatch(/^[\da-f-]{36}$/);
  });

  it("returns only a request id for an unexpected error", async () => {
    await sql`alter table role rename to role_away`.execute(upstream.database());
    try {
      const answer = await visitor().get("/role/common/home", {
        "x-request-id": "fault-1",
        "cache-control": "no-cache",
      });
      expect(answer).toEqual({
        status: 500,
        code: 7,
        msg: "request-failed",
        data: { reason: "request-failed", requestId: "fault-1" },
      });
    } finally {
      await sql`alter table role_away rename to role`.execute(upstream.database());
    }
  });

  it("is described by the OpenAPI document, which needs no appid", async () => {
    const response = await visitor().file("/api/v1/openapi.json", { appid: "" });
    const document = (await response.json()) as { openapi: string; paths: Record<string, Record<string, unknown>> };
    expect(document.openapi).toBe("3.1.0");
    for (const { method, path } of Object.values(calls)) {
      expect(document.paths[path]?.[method.toLowerCase()]).toBeDefined();
    }
    const trial = JSON.stringify(document.paths["/voice/try/create"]);
    for (const field of ["content", "voicePath", "roleId", "transcript", "tryNum", "idempotency-key"]) {
      expect(trial).toContain(`"${field}"`);
    }
  });

  it("is described with the types of its bytes and the form of its refusals", () => {
    const { paths, components } = openApiDocument();
    const responsesOf = (name: keyof typeof calls) => {
      const operation = paths[calls[name].path]?.[calls[name].method.toLowerCase()];
      return (operation as { responses: Record<string, DescribedAnswer> }).responses;
    };
    for (const name of Object.keys(calls) as Array<keyof typeof calls>) {
      const { 200: answer, ...refusals } = responsesOf(name);
      expect([name, Object.keys(answer?.content ?? {})]).not.toEqual([name, []]);
      expect([name, answer?.description.startsWith("The envelope")]).toEqual([
        name,
        calls[name].answers === "envelope",
      ]);
      for (const { $ref = "" } of Object.values(refusals)) {
        expect(Object.keys(components.responses)).toContain($ref.replace("#/components/responses/", ""));
      }
    }
    expect(Object.keys(responsesOf("speech")[200]?.content ?? {})).toEqual(["audio/mpeg", "audio/wav", "audio/flac"]);
    expect(Object.keys(responsesOf("userExport")[200]?.content ?? {})).toEqual(["application/zip"]);
    expect(responsesOf("speech")).toMatchObject({ "4XX": { $ref: expect.stringMatching(/openAi$/) } });
    expect(responsesOf("dubExport")).toMatchObject({ default: { $ref: expect.stringMatching(/envelope$/) } });
  });

  it("responds while the server reports that it is ready", async () => {
    expect(await upstream.services.ready()).toEqual({ database: true, storage: true, room: true });
  });
});
