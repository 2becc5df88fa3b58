import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { findMissingSetting } from "~server/bff/file-address.server";
import { typeByBytes } from "~server/bff/file-signature.server";
import { rowsIn } from "~server/contract/calls/foreign";
import { calls } from "~server/contract/calls/table";
import { ok } from "~server/contract/codes";
import { consentStatementId } from "~server/contract/consent";
import { encodeWav } from "~server/speech/recording/formats/wav";
import { speechLike, toPcm } from "../../support/sounds";
import { readAnswer } from "./account-flows";
import { type Client, isMissing, shown } from "./client";
import { fieldsOf } from "./exact";
import type { Recorder } from "./recorder";

const doneMs = 90_000;

const onePixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

function formOf(bytes: Uint8Array, type: string, fields: Record<string, string> = {}): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append("file", new Blob([new Uint8Array(bytes)], { type }), type.replace("/", "."));
  return form;
}

function soundForm(): FormData {
  const sound = speechLike({ seconds: 6, seed: 1 });
  return formOf(encodeWav(toPcm(sound), sound.sampleRate), "audio/wav");
}

type UploadCall = "fileUpload" | "recordingUpload" | "verify";

/** The upload's answer as the site reads it; undefined if it was refused, which synthetic speech and visitors may be. */
async function upload(client: Client, recorder: Recorder, call: UploadCall, form: FormData) {
  const answer = await client.upload(call, form);
  if (isMissing(answer)) {
    if (call === "verify") recorder.miss(call);
    else recorder.note(call, "must", "offered", `answered ${shown(answer)}`);
    return undefined;
  }
  const { code, reason } = answer;
  const isRefused = code === 5 || (code === 7 && reason?.startsWith("reference-"));
  if (isRefused) recorder.note(call, "must", "takes a file or says why not", null);
  return isRefused ? undefined : readAnswer(recorder, call, "takes a file", answer);
}

/** The uploads, and with an account the role that is made of the recording. */
export async function checkUploads(client: Client, recorder: Recorder) {
  const picture = formOf(Buffer.from(onePixel, "base64"), "image/png", { type: "image" });
  await upload(client, recorder, "fileUpload", picture);
  await upload(client, recorder, "verify", soundForm());
  const recording = await upload(client, recorder, "recordingUpload", soundForm());
  if (!client.hasToken) return recorder.skip("roleCreate", "a role is created and listed", "needs an account");
  if (!recording || !("voicePath" in recording))
    return recorder.skip("roleCreate", "a role is created and listed", "the recording was refused");
  const name = `检查${randomInt(1000, 9999)}`;
  const consent = { statementId: consentStatementId };
  const created = await client.call("roleCreate", { name, voicePath: recording.voicePath, consent });
  if (readAnswer(recorder, "roleCreate", "a role is created", created) === undefined) return;
  const find = async () => {
    const { data } = await client.call("roleList", { page: 1, pageSize: 10 });
    return calls.roleList.data.safeParse(data).data?.list.find((role) => role.name === name);
  };
  const role = await find();
  if (!recorder.note("roleList", "must", "the new role is listed", role ? null : "it is not on the first page")) return;
  await client.call("roleDelete", { roleId: role?.roleId });
  recorder.note("roleDelete", "must", "a deleted role is gone", (await find()) ? "it is still listed" : null);
}

/** The first voice that can speak. */
async function findVoice(client: Client): Promise<string | undefined> {
  const home = calls.squareHome.data.safeParse((await client.call("squareHome", {})).data).data ?? [];
  const square = calls.squareList.data.safeParse((await client.call("squareList", { page: 1 })).data).data?.list ?? [];
  return [...home, ...square][0]?.roleId;
}

/** A trial up to its sound. */
export async function checkTrial(client: Client, recorder: Recorder) {
  const roleId = await findVoice(client);
  if (!roleId) return recorder.skip("trialCreate", "a trial is heard", "no voice on the home page or the square");
  const created = await client.call("trialCreate", { content: "你好，世界。", roleId });
  const trial = readAnswer(recorder, "trialCreate", "a trial is started", created);
  if (!trial) return;
  const input = trial.taskId ? { taskId: trial.taskId } : {};
  const sound = await waitForSound(client.pauseMs, async () => {
    const { code, data } = await client.call("trialResult", input);
    const read = calls.trialResult.data.safeParse(data);
    return code === ok && read.success ? { record: read.data, raw: data } : null;
  });
  if (recorder.note("trialResult", "must", "becomes done, with a sound", sound.fault))
    await checkSound(client, recorder, "trialResult", sound.voiceUrl);
}

/** A clone and a dub from their creation to their bytes, and deleted again. */
export async function checkRecords(client: Client, recorder: Recorder) {
  const roleId = client.hasToken ? await findVoice(client) : undefined;
  for (const kind of ["clone", "dub"] as const) {
    const call = `${kind}Create` as const;
    if (!roleId) recorder.skip(call, "is created, listed and heard", client.hasToken ? "no voice" : "needs an account");
    else await checkRecord(client, recorder, { kind, roleId });
  }
}

async function checkRecord(
  client: Client,
  recorder: Recorder,
  { kind, roleId }: { kind: "clone" | "dub"; roleId: string },
) {
  const content = `这是一次检查，编号${randomInt(1000, 9999)}。`;
  const line = { roleId, content, speed: 1, genre: 0 };
  const [create, list, remove] = [`${kind}Create`, `${kind}List`, `${kind}Delete`] as const;
  const created = await client.call(create, kind === "clone" ? line : { title: content, lines: [line] });
  const record = readAnswer(recorder, create, "is created", created);
  if (record === undefined) return;
  const find = async () => {
    const { data } = await client.call(list, { page: 1, pageSize: 10 });
    const rows = (calls[list].data.safeParse(data).data?.list ?? []) as ListedRecord[];
    const at = rows.findIndex((row) => isSame(row, record?.taskId, content));
    const raw = rowsIn(data);
    const row = rows[at];
    return row ? { record: row, raw: Array.isArray(raw) ? raw[at] : raw } : null;
  };
  const listed = await find();
  if (!recorder.note(list, "must", "the new record is listed", listed ? null : "it is not on the first page")) return;
  const sound = await waitForSound(client.pauseMs, find);
  if (recorder.note(list, "must", "becomes done, with a sound", sound.fault))
    await checkSound(client, recorder, list, sound.voiceUrl);
  await client.call(remove, { ids: [listed?.record.taskId] });
  recorder.note(remove, "must", "a deleted record is gone", (await find()) ? "it is still listed" : null);
}

interface ListedRecord {
  taskId: string;
  status: 1 | 2 | 3;
  voiceUrl: string;
  msg: string;
  reason?: string | undefined;
  content?: string;
  title?: string;
  lines?: Array<{ content: string }>;
}

const isSame = ({ taskId, content, title, lines = [] }: ListedRecord, id: string | undefined, text: string) =>
  id ? taskId === id : [content, title, ...lines.map((line) => line.content)].includes(text);

/** Reads until there is a sound. A record that never says more is named by its fields. */
async function waitForSound(
  pauseMs: number,
  read: () => Promise<{ record: Omit<ListedRecord, "content">; raw: unknown } | null>,
) {
  const endsAt = Date.now() + doneMs;
  for (;;) {
    const found = await read();
    if (!found) return { fault: "cannot be read", voiceUrl: "" };
    const { status, voiceUrl, reason, msg } = found.record;
    if (status === 2 && voiceUrl) return { fault: null, voiceUrl };
    const fields = `it has: ${fieldsOf(found.raw)}`;
    if (reason === "unreadable") return { fault: `done without a sound that the site finds; ${fields}`, voiceUrl: "" };
    if (status === 3) return { fault: `failed: ${reason ?? msg}`, voiceUrl: "" };
    if (Date.now() > endsAt) return { fault: `neither done nor failed in ${doneMs / 1000} s; ${fields}`, voiceUrl: "" };
    await sleep(pauseMs);
  }
}

/** The sound's bytes, a part of them, and where the site must be allowed to fetch them. */
async function checkSound(
  client: Client,
  recorder: Recorder,
  call: "trialResult" | "cloneList" | "dubList",
  url: string,
) {
  const whole = await client.file(url);
  const bytes = new Uint8Array(await whole.arrayBuffer());
  const fault =
    whole.status === 200 && bytes.length >= 100 && typeByBytes(bytes)
      ? null
      : `HTTP ${whole.status}, ${bytes.length} bytes of ${whole.headers.get("content-type") ?? "no type"} at ${url}`;
  if (!recorder.note(call, "must", "the sound is fetched", fault)) return;
  const part = await client.file(url, { range: "bytes=10-19" });
  const size = (await part.arrayBuffer()).byteLength;
  const partFault = part.status === 206 && size === 10 ? null : `HTTP ${part.status}, ${size} bytes for ten of them`;
  recorder.note(call, "should", "a part of the sound is fetched", partFault);
  const isOwn = /^\/api\/v1\/files\/[^/]+$/.test(client.pathOf(url));
  const missing = isOwn ? null : findMissingSetting(url, { base: client.base, filePaths: [], fileOrigins: [] });
  const hint = missing ? `set ${missing.setting}=${missing.value}` : `an address that the site refuses: ${url}`;
  recorder.note(call, "should", "the sound is below /api/v1/files/", isOwn ? null : hint);
}
