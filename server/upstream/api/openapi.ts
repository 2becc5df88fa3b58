import {
  extendZodWithOpenApi,
  OpenAPIRegistry,
  OpenApiGeneratorV31,
  type RouteConfig,
} from "@asteasolutions/zod-to-openapi";
import { z } from "zod";
import { type Call, calls } from "~server/contract/calls/table";

extendZodWithOpenApi(z);

const envelopeCodes = "0 ok · 5 login expired · 1001 entitlement missing or used up · 7 general failure";
const requestHeaders = z.object({
  appid: z.string(),
  token: z.string().optional().openapi({ description: "Empty when logged out." }),
  "x-visitor-id": z.string().optional().openapi({ description: "Names a visitor, 8–100 of A–Z a–z 0–9 _ -." }),
  "x-request-id": z.string().optional(),
});
const writeHeaders = requestHeaders.extend({
  "idempotency-key": z.string().max(200).optional().openapi({ description: "Repeats under one key act once." }),
});

let made: object | undefined;

/** The OpenAPI 3.1 document of the whole contract, generated from its table of calls. */
export function openApiDocument(): object {
  made ??= generate();
  return made;
}

function generate(): object {
  const registry = new OpenAPIRegistry();
  for (const [name, call] of Object.entries<Call>(calls)) registry.registerPath(toRoute(name, call));
  return new OpenApiGeneratorV31(registry.definitions).generateDocument({
    openapi: "3.1.0",
    info: { title: "/api/v1", version: "1.0.0", description: `Envelope codes: ${envelopeCodes}.` },
    servers: [{ url: "/api/v1" }],
  });
}

function toRoute(name: string, call: Call): RouteConfig {
  const { method, path, caller, confidence } = call;
  return {
    operationId: name,
    method: method === "GET" ? "get" : "post",
    path,
    description: `Caller: ${caller}. Confidence: ${confidence}.`,
    request: { headers: method === "GET" ? requestHeaders : writeHeaders, ...requestOf(call) },
    responses: { 200: { description: "The envelope; failures carry another code.", ...contentOf(call) } },
  };
}

/** Aliases and tolerant readings are wrapped around the exact form; parameters need that form bare. */
function bare(schema: z.ZodTypeAny): z.ZodTypeAny {
  return schema instanceof z.ZodEffects ? bare(schema.innerType()) : schema;
}

function requestOf({ sends, request }: Call): RouteConfig["request"] {
  const exact = bare(request);
  const query = exact instanceof z.ZodObject ? { query: exact } : {};
  if (sends === "query") return query;
  if (sends === "none") return {};
  if (sends === "multipart") {
    const parts = exact instanceof z.ZodObject ? exact : z.object({});
    const file = z.string().openapi({ format: "binary" });
    return { body: { required: true, content: { "multipart/form-data": { schema: parts.extend({ file }) } } } };
  }
  const body = { required: sends === "json", content: { "application/json": { schema: exact } } };
  return sends === "query-and-json" ? { ...query, body } : { body };
}

function contentOf({ answers, data }: Call) {
  if (answers === "events") return { content: { "text/event-stream": { schema: bare(data) } } };
  if (answers === "bytes") return {};
  const schema = z.object({ code: z.number().int(), data: bare(data), msg: z.string() });
  return { content: { "application/json": { schema } } };
}
