import { expect, vi } from "vitest";
import type { CallData } from "~server/contract/calls/table";
import type { Visitor } from "./upstream";

export type Dub = CallData<"dubList">["list"][number];
type DubList = CallData<"dubList">;

export const createDub = (member: Visitor, body: object, key?: string) =>
  member.post<Dub & { reason?: string; line?: number; need?: number; limit?: number }>(
    "/dubbing/create",
    body,
    key ? { "idempotency-key": key } : {},
  );

export async function listDubs(member: Visitor, query: Record<string, string> = {}): Promise<DubList> {
  const { code, data } = await member.get<DubList>(`/dubbing/list?${new URLSearchParams(query)}`);
  expect(code).toBe(0);
  return data;
}

export async function findDub(member: Visitor, taskId: string): Promise<Dub> {
  const { list } = await listDubs(member, { taskId });
  if (!list[0]) throw new Error(`no dub ${taskId}`);
  return list[0];
}

/** Waits until it is done or failed. */
export const waitForDub = (member: Visitor, taskId: string) =>
  vi.waitFor(
    async () => {
      const dub = await findDub(member, taskId);
      expect(dub.status).not.toBe(1);
      return dub;
    },
    { timeout: 150_000, interval: 50 },
  );

/** Waits until some lines are done and others are not. */
export const waitForPartialDub = (member: Visitor, taskId: string, lines = 1) =>
  vi.waitFor(
    async () => {
      const dub = await findDub(member, taskId);
      const done = dub.lines.filter(({ status }) => status === 2).length;
      expect(done).toBeGreaterThanOrEqual(lines);
      expect(done).toBeLessThan(dub.lines.length);
      return dub;
    },
    { timeout: 150_000, interval: 20 },
  );

export const exportDub = (member: Visitor, dubbId: string, format: string) =>
  member.file(`/api/v1/dubbing/export?dubbId=${dubbId}&format=${format}`);
