import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { encodeWav } from "~server/speech/recording/formats/wav";
import { speechLike, toPcm } from "./sounds";
import { createSpecificationState, type SpecificationState } from "./specification-state";

/** Variants that the specification permits. */
export interface ResponseShape {
  /** Field name of a list's rows. */
  rows: "list" | "rows" | "records" | "array" | "nested";
  ids: "string" | "number";
  /** Answer of a create call. */
  created: "record" | "id" | "null" | "true";
  /** Answer for an unknown path. */
  missing: "text" | "json" | "envelope";
  /** Files as paths below /api/v1/files/, or as absolute addresses below /uploads/ (FILE_PATHS). */
  files: "path" | "address";
  /** Names of a record's fields; absent means those of the specification's family. */
  names?: "snake" | "other";
}

/** Variants of a specification-conforming upstream; the last two name and nest what it leaves open in ways of their own. */
export const responseShapes = {
  list: { rows: "list", ids: "string", created: "record", missing: "envelope", files: "path" },
  rows: { rows: "rows", ids: "number", created: "id", missing: "json", files: "address" },
  records: { rows: "records", ids: "number", created: "null", missing: "text", files: "path" },
  array: { rows: "array", ids: "string", created: "true", missing: "json", files: "address" },
  snake: { rows: "nested", ids: "number", created: "id", missing: "json", files: "path", names: "snake" },
  other: { rows: "nested", ids: "string", created: "record", missing: "text", files: "address", names: "other" },
} satisfies Record<string, ResponseShape>;

export interface SpecificationUpstream {
  url: string;
  state: SpecificationState;
  /** `GET /path` of every request, in order. */
  requests: string[];
  /** Answer of the next request for a path, once. */
  answerNext(path: string, answer: { status?: number; body: unknown }): void;
  /** Answer of every later request for a path. */
  answerAlways(path: string, answer: { status?: number; body: unknown }): void;
  close(): Promise<void>;
}

const sound = speechLike({ seconds: 2, seed: 5 });
const wav = Buffer.from(encodeWav(toPcm(sound), sound.sampleRate));
const none = Symbol("no such call");

/** Serves the specification's 22 calls and the file GET on a free port, and 404 for everything else. */
export async function startSpecificationUpstream(shape: ResponseShape): Promise<SpecificationUpstream> {
  const requests: string[] = [];
  const instead = new Map<string, { status?: number; body: unknown }>();
  const always = new Map<string, { status?: number; body: unknown }>();
  let state: SpecificationState;
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", "http://upstream.invalid");
    const path = url.pathname.replace("/api/v1", "");
    requests.push(`${request.method} ${path}`);
    const body = await readBody(request);
    const forced = instead.get(path) ?? always.get(path);
    instead.delete(path);
    if (forced) return answer(response, forced.body, forced.status);
    if (/^\/(files|uploads)\//.test(path)) return answerFile(response);
    const token = String(request.headers.token ?? "");
    const found = route(`${request.method} ${path}`, { state, shape, token, query: url.searchParams, body });
    if (found === none) return answerMissing(response, shape.missing);
    answer(response, found);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  state = createSpecificationState(shape.files === "path" ? "/api/v1/files/" : `${url}/uploads/`);
  return {
    url,
    state,
    requests,
    answerNext: (path, forced) => void instead.set(path, forced),
    answerAlways: (path, forced) => void always.set(path, forced),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Asked {
  state: SpecificationState;
  shape: ResponseShape;
  token: string;
  query: URLSearchParams;
  body: Record<string, unknown>;
}

const done = (data: unknown) => ({ code: 0, data, msg: "success" });
const expired = { code: 5, data: null, msg: "请重新登录" };
const needsLogin = (path: string) =>
  /^\/(users\/(info|logout)|pay\/(order|result)|voice\/(role|create|list|del)|dubbing)/.test(path);

/** The envelope of one of the 22 calls. */
function route(name: string, asked: Asked): unknown {
  const { state, shape, token, query, body } = asked;
  const path = name.split(" ")[1] ?? "";
  const account = state.accountOf(token);
  if (needsLogin(path) && !account) return expired;
  const owner = account ?? state.visitor;
  const id = (number: number) => (shape.ids === "number" ? number : `id-${number}`);
  const created = (number: number, record: object) =>
    done({ record: { ...record, id: id(number) }, id: id(number), null: null, true: true }[shape.created]);
  const page = (kind: RecordKind, records: Array<{ number: number }>) => {
    const rows = records.map(({ number, ...record }) => named(kind, { id: id(number), ...record }, shape.names));
    if (shape.rows === "nested") return done({ data: { data: rows } });
    return done(shape.rows === "array" ? rows : { [shape.rows]: rows, total: rows.length });
  };
  const file = () =>
    shape.names === "other" ? { file: { src: state.newFile() } } : { [shape.names ? "path" : "url"]: state.newFile() };
  const made = (kind: "clones" | "dubs") => {
    const record = state.make(owner, kind, body);
    return created(record.number, { content: body.content });
  };
  const removed = (kind: "roles" | "clones" | "dubs") => {
    const wanted = [body.ids, body.roleId, body.voiceId, body.dubbId].flat().map(String);
    state.remove(owner, kind, (number) => wanted.includes(String(id(number))));
    return done(null);
  };
  const calls: Record<string, () => unknown> = {
    "POST /code/captcha": () => done(true),
    "POST /users/login": () =>
      done({ [shape.names === "other" ? "accessToken" : "token"]: state.logIn(String(body.phone)) }),
    "GET /users/logout": () => done(state.logOut(token)),
    "GET /users/info": () => done(shape.names === "other" ? textual(state.infoOf(owner)) : state.infoOf(owner)),
    "GET /pay/product": () =>
      done(shape.names ? state.products.map((one) => ({ ...one, price: String(one.price) })) : state.products),
    "POST /pay/order/qrcode": () => done(state.order(owner, String(body.pCode))),
    "POST /pay/result": () => done({ result: state.pay(String(body.orderId)) }),
    "POST /file/upload": () => done(file()),
    "POST /file/uploadCustom": () => done(file()),
    "POST /voice/role/create": () => {
      const role = state.addRole(owner, String(body.name), String(body.voicePath));
      return created(role.number, { name: role.name });
    },
    "GET /voice/role/list": () => page("role", owner.roles),
    "POST /voice/role/del": () => removed("roles"),
    "POST /voice/create": () => made("clones"),
    "GET /voice/list": () => page("clone", state.finished(owner.clones)),
    "POST /voice/del": () => removed("clones"),
    "POST /dubbing/create": () => made("dubs"),
    "GET /dubbing/list": () => page("dubbing", state.finished(owner.dubs)),
    "POST /dubbing/del": () => removed("dubs"),
    "GET /role/common/list": () => page("role", query.get("page") === "1" ? state.people : []),
    "GET /role/common/home": () => page("role", state.people),
    "POST /voice/try/create": () => created(state.try(owner), {}),
    "GET /voice/try/result": () => done(state.trialOf(owner)),
  };
  const call = calls[name];
  return call ? call() : none;
}

type RecordKind = "role" | "clone" | "dubbing";
const otherIds = { role: "uuid", clone: "recordId", dubbing: "dubbingId" };

/** A record under the names of another upstream. Its time is the same moment in all of them. */
function named(kind: RecordKind, record: Record<string, unknown>, names: ResponseShape["names"]) {
  if (!names) return record;
  const { id, name, url, roleId, ...others } = record;
  const seconds = 1764297000;
  return names === "snake"
    ? {
        [`${kind}_id`]: id,
        role_name: name,
        voice_url: url,
        role_id: roleId ?? id,
        ...others,
        create_time: `${seconds}`,
      }
    : { [otherIds[kind]]: id, title: name, output: url, audioId: roleId, ...others, createTime: seconds * 1000 };
}

/** Expiries in words. */
const textual = (info: { vipExpire: number; svipExpire: number }) => {
  const toText = (at: number) =>
    at ? new Date((at + 8 * 3600) * 1000).toISOString().slice(0, 19).replace("T", " ") : "";
  return { ...info, vipExpire: toText(info.vipExpire), svipExpire: toText(info.svipExpire) };
};

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8")) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function answer(response: ServerResponse, body: unknown, status = 200) {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function answerFile(response: ServerResponse) {
  response.writeHead(200, { "content-type": "audio/wav", "content-length": wav.length }).end(wav);
}

function answerMissing(response: ServerResponse, missing: ResponseShape["missing"]) {
  if (missing === "text") response.writeHead(404, { "content-type": "text/plain" }).end("404 page not found");
  else if (missing === "json") answer(response, { statusCode: 404, message: "Not Found" }, 404);
  else answer(response, { code: 404, data: null, msg: "Not Found" });
}
