import { z } from "zod/v4";
import type { AnswerKind, Call } from "./calls/call";
import { type CallName, calls, keyCalls, openAiCalls } from "./calls/table";

type JsonSchema = z.core.JSONSchema.JSONSchema;

const envelopeCodes = "0 ok · 5 login expired · 1001 entitlement missing or used up · 7 general failure";
const requestHeaders = z.object({
  appid: z.string().describe("Not with a key.").optional(),
  token: z.string().describe("Empty when logged out.").optional(),
  "x-visitor-id": z.string().describe("Names a visitor, 8–100 of A–Z a–z 0–9 _ -.").optional(),
  "x-request-id": z.string().optional(),
});
const writeHeaders = requestHeaders.extend({
  "idempotency-key": z.string().max(200).describe("Repeats under one key act once.").optional(),
});

const securitySchemes = { key: { type: "http", scheme: "bearer", description: "A key: sk-…" } };

let made: string | undefined;

/** The document as JSON, generated once. */
export function openApiText(): string {
  made ??= JSON.stringify(openApiDocument());
  return made;
}

/** The OpenAPI 3.1 document of the whole contract, generated from its table of calls. */
export function openApiDocument() {
  const paths: Record<string, Record<string, object>> = {};
  for (const [name, call] of Object.entries<Call>(calls))
    paths[call.path] = { ...paths[call.path], [call.method.toLowerCase()]: toOperation(name, call) };
  return {
    openapi: "3.1.0",
    info: { title: "/api/v1", version: "1.0.0", description: `Envelope codes: ${envelopeCodes}.` },
    servers: [{ url: "/api/v1" }],
    paths,
    components: { responses: refusals, securitySchemes },
  };
}

function toOperation(name: string, call: Call) {
  const { method, caller, confidence, sends, request } = call;
  const isQueried = sends === "query" || sends === "query-and-json";
  return {
    operationId: name,
    description: `Caller: ${caller}. Confidence: ${confidence}.`,
    ...(keyCalls.has(name as CallName) && { security: [{ key: [] }, {}] }),
    parameters: [
      ...toParameters("header", method === "GET" ? requestHeaders : writeHeaders),
      ...(isQueried ? toParameters("query", request) : []),
    ],
    ...bodyOf(call),
    responses: { 200: { description: descriptions[call.answers], content: contentOf(call) }, ...refusalsOf(name) },
  };
}

const descriptions: Record<AnswerKind, string> = {
  envelope: "The envelope; failures carry another code.",
  events: "A stream of events.",
  bytes: "The content itself, without the envelope.",
  json: "The object itself, without the envelope.",
};

const jsonOf = (schema: object) => ({ "application/json": { schema } });
const envelopeOf = (data: object) => {
  const properties = { code: { type: "integer" }, data, msg: { type: "string" } };
  return { type: "object", properties, required: Object.keys(properties) };
};

const refusal = z.object({ reason: z.string().describe("A code, as `msg`.") });
const openAiError = z.object({
  error: z.object({ message: z.string(), type: z.string(), param: z.string().nullable(), code: z.string() }),
});
const refusals = {
  envelope: { description: "The envelope with a code but 0.", content: jsonOf(envelopeOf(toJsonSchema(refusal))) },
  openAi: { description: "An error as OpenAI's interface has it.", content: jsonOf(toJsonSchema(openAiError)) },
};

function refusalsOf(name: string) {
  const openAi = { $ref: "#/components/responses/openAi" };
  if (openAiCalls.has(name as CallName)) return { "4XX": openAi, "5XX": openAi };
  return { default: { $ref: "#/components/responses/envelope" } };
}

function bodyOf({ sends, request }: Call) {
  if (sends === "query" || sends === "none") return {};
  if (sends !== "multipart")
    return { requestBody: { required: sends === "json", content: { "application/json": { schema: sent(request) } } } };
  const { properties, required = [] } = sent(request);
  const file = { type: "string", format: "binary" };
  const schema = { type: "object", properties: { ...properties, file }, required: [...required, "file"] };
  return { requestBody: { required: true, content: { "multipart/form-data": { schema } } } };
}

function contentOf({ answers, contentTypes = [], data }: Call) {
  const others = Object.fromEntries(contentTypes.map((type) => [type, {}]));
  if (answers === "bytes") return others;
  if (answers === "events") return { "text/event-stream": { schema: answered(data) } };
  return { ...jsonOf(answers === "json" ? answered(data) : envelopeOf(answered(data))), ...others };
}

function toParameters(place: "header" | "query", object: z.ZodType) {
  const { properties = {}, required = [] } = sent(object);
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: place,
    required: required.includes(name),
    schema,
  }));
}

/** The schema of requests; fields with a default are optional. */
const sent = (schema: z.ZodType): JsonSchema =>
  toJsonSchema(schema, (object, jsonSchema) => {
    const required = Object.keys(object.shape).filter((name) => !object.shape[name]?.safeParse(undefined).success);
    delete jsonSchema.required;
    if (required.length > 0) jsonSchema.required = required;
  });

/** The schema of answers. */
const answered = (schema: z.ZodType): JsonSchema => toJsonSchema(schema);

/** The output of the tolerant schemas is the exact form. */
function toJsonSchema(
  schema: z.ZodType,
  describe?: (object: z.ZodObject<Record<string, z.ZodType>>, jsonSchema: JsonSchema) => void,
): JsonSchema {
  const { $schema, ...exact } = z.toJSONSchema(schema, {
    io: "output",
    unrepresentable: "any",
    override({ zodSchema, jsonSchema }) {
      delete jsonSchema.default;
      if (!(zodSchema instanceof z.ZodObject)) return;
      // Readers ignore additional properties.
      delete jsonSchema.additionalProperties;
      describe?.(zodSchema as z.ZodObject<Record<string, z.ZodType>>, jsonSchema);
    },
  });
  return exact;
}
