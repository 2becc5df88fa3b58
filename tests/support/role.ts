import sharp from "sharp";
import { expect, vi } from "vitest";
import type { CallData } from "~server/contract/calls/table";
import { consentStatementId } from "~server/contract/consent";
import { type Member, withToken } from "./account";
import type { TestEngine } from "./database";
import { speechLike } from "./sounds";
import { uploadVoice } from "./trial";
import { createVisitor, openTestUpstream, recordingForm, type TestUpstream, type Visitor } from "./upstream";

export type Role = CallData<"roleList">["list"][number];
type RoleList = CallData<"roleList">;

export const voiceConsent = { statementId: consentStatementId };

/** Measures of a proof that is accepted. */
const provenMeasures = {
  words: { all: 5, lines: [4, 4] },
  speaker: 6,
  copied: { identical: 0, alike: 0 },
  highBandDb: -20,
};

/** Every proof that the upstream measures from now on is accepted. */
export const acceptProofs = ({ speech }: TestUpstream) => Object.assign(speech.proof, structuredClone(provenMeasures));

/** An upstream with a worker that publishes proven voices only. */
export async function openProofUpstream(engine: TestEngine): Promise<TestUpstream> {
  const upstream = await openTestUpstream(engine);
  await upstream.restart({ voiceProof: "required" });
  upstream.services.startWorker();
  return upstream;
}

/** Restarts the upstream, whose first worker sweeps; returns the member as a caller of the new server. */
export async function sweepByRestart(upstream: TestUpstream, member: Member): Promise<Member> {
  await upstream.restart();
  upstream.services.startWorker();
  return withToken(createVisitor(upstream.services), member);
}

/** Uploads a recording of so many seconds; another seed is another recording. */
export async function uploadSpeech(who: Visitor, seconds: number, seed = 4): Promise<string> {
  const form = recordingForm(speechLike({ seconds, seed }));
  return (await who.upload<{ voicePath: string }>("/file/uploadCustom", form)).data.voicePath;
}

export const postRole = (member: Visitor, body: object, key?: string) =>
  member.post<Role & { reason?: string; limit?: number }>(
    "/voice/role/create",
    body,
    key ? { "idempotency-key": key } : {},
  );

/** Creates a role from a new recording with a confirmed consent. */
export async function createRole(member: Visitor, body: object = {}): Promise<Role> {
  const voicePath = await uploadVoice(member);
  const { code, data } = await postRole(member, { name: "小雨", voicePath, consent: voiceConsent, ...body });
  expect(code).toBe(0);
  return data;
}

export async function listRoles(member: Visitor, query: Record<string, string> = {}): Promise<RoleList> {
  const { code, data } = await member.get<RoleList>(`/voice/role/list?${new URLSearchParams(query)}`);
  expect(code).toBe(0);
  return data;
}

export async function findRole(member: Visitor, roleId: string): Promise<Role> {
  const { list } = await listRoles(member, { roleId });
  if (!list[0]) throw new Error(`no role ${roleId}`);
  return list[0];
}

/** Waits until enrolment succeeded or failed. */
export const waitForRole = (member: Visitor, roleId: string) =>
  vi.waitFor(
    async () => {
      const role = await findRole(member, roleId);
      expect(role.status).not.toBe(1);
      return role;
    },
    { timeout: 150_000, interval: 50 },
  );

/** Publishes or withdraws it. */
export const publishRole = (member: Visitor, roleId: string, isPublic = true) =>
  member.post("/voice/role/publish", { roleId, isPublic });

export async function createPublicRole(member: Visitor, body: object = {}): Promise<Role> {
  const { roleId } = await createRole(member, body);
  await waitForRole(member, roleId);
  expect((await publishRole(member, roleId)).code).toBe(0);
  return findRole(member, roleId);
}

export async function uploadPortrait(visitor: Visitor): Promise<string> {
  const image = sharp({ create: { width: 40, height: 40, channels: 3, background: "teal" } });
  return uploadImage(visitor, await image.png().toBuffer());
}

export async function uploadImage(visitor: Visitor, bytes: Uint8Array): Promise<string> {
  const form = new FormData();
  form.append("type", "image");
  form.append("file", new Blob([new Uint8Array(bytes)]), "picture");
  const { code, data } = await visitor.upload<{ url: string }>("/file/upload", form);
  expect(code).toBe(0);
  return data.url;
}

/** Every storage key of user files. */
export const bytesOnDisk = ({ bytes }: TestUpstream): Promise<string[]> => bytes.keys();

/** Keys that did not exist before. Old ones may disappear meanwhile, since all voices and texts are equal here. */
export const bytesSince = async (upstream: TestUpstream, before: string[]): Promise<string[]> =>
  (await bytesOnDisk(upstream)).filter((key) => !before.includes(key));
