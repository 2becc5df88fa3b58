import { expect, vi } from "vitest";
import { consentStatementId } from "~server/contract/consent";
import type { TrialCreated, TrialResult } from "~server/upstream/generations/trials/trials";
import type { Recording } from "~server/upstream/voices/recordings";
import { recordingForm, type Visitor } from "./upstream";

export const sentence = "你好，世界。今天天气很好，我们出去走走吧。";

/** A voice that needs no upload. */
export async function firstRoleId(visitor: Visitor): Promise<string> {
  const { data } = await visitor.get<Array<{ roleId: string }>>("/role/common/home?size=1");
  return data[0]?.roleId ?? "";
}

export async function uploadVoice(visitor: Visitor): Promise<string> {
  const { code, data } = await visitor.upload<Recording>("/file/uploadCustom", recordingForm());
  expect(code).toBe(0);
  return data.voicePath;
}

/** With agreement to the statement. */
export const createTrial = (visitor: Visitor, body: object, key?: string) =>
  visitor.post<TrialCreated>(
    "/voice/try/create",
    { consent: { statementId: consentStatementId }, ...body },
    key ? { "idempotency-key": key } : {},
  );

export const trialResult = async (visitor: Visitor, taskId: string) =>
  visitor.get<TrialResult>(`/voice/try/result?taskId=${taskId}`);

/** Waits until it is done or failed. */
export async function waitForTrial(visitor: Visitor, taskId: string, timeout = 150_000): Promise<TrialResult> {
  return vi.waitFor(
    async () => {
      const { data } = await trialResult(visitor, taskId);
      expect(data.status).not.toBe(1);
      return data;
    },
    { timeout, interval: 50 },
  );
}
