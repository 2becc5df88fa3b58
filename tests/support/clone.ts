import { expect, vi } from "vitest";
import type { CallData } from "~server/contract/calls/table";
import { consentStatementId } from "~server/contract/consent";
import type { Visitor } from "./upstream";

export type Clone = CallData<"cloneList">["list"][number];
type CloneList = CallData<"cloneList">;

/** With agreement to the statement. */
export const createClone = (member: Visitor, body: object, key?: string) =>
  member.post<Clone & { reason?: string }>(
    "/voice/create",
    { consent: { statementId: consentStatementId }, ...body },
    key ? { "idempotency-key": key } : {},
  );

export async function listClones(member: Visitor, query: Record<string, string> = {}): Promise<CloneList> {
  const { code, data } = await member.get<CloneList>(`/voice/list?${new URLSearchParams(query)}`);
  expect(code).toBe(0);
  return data;
}

export async function findClone(member: Visitor, taskId: string): Promise<Clone> {
  const { list } = await listClones(member, { taskId });
  if (!list[0]) throw new Error(`no clone ${taskId}`);
  return list[0];
}

/** Waits until it is done or failed. */
export const waitForClone = (member: Visitor, taskId: string) =>
  vi.waitFor(
    async () => {
      const clone = await findClone(member, taskId);
      expect(clone.status).not.toBe(1);
      return clone;
    },
    { timeout: 150_000, interval: 50 },
  );

/** Characters left this month, and those reserved by running tasks. */
export async function charactersLeft(member: Visitor): Promise<number> {
  const { data } = await member.get<{ left: number }>("/tasks/allowance");
  return data.left;
}
