import { callApi } from "~/call";

interface AccountDocument<Value> {
  /** Names the document, and its kind among the account's projects; the server does not read it. */
  kind: string;
  projectId: string;
  parse(document: Record<string, unknown>): Value | null;
  toDocument(value: Value): Record<string, unknown>;
  /** What the account has and what this browser has as one; null for nothing. */
  merge(account: Value | null): Value | null;
}

/**
 * Brings a value of this browser and the account's together, and returns it. Throws `Refused`; another device that was
 * faster is merged by the next call.
 */
export async function syncDocument<Value>(document: AccountDocument<Value>): Promise<Value | null> {
  const { kind, projectId, parse, toDocument, merge } = document;
  const listed = await callApi("projectList", { kind, pageSize: 1 });
  const revision = listed.list.find((one) => one.projectId === projectId)?.revision ?? 0;
  const account = revision === 0 ? null : parse((await callApi("projectGet", { projectId })).document);
  const value = merge(account);
  if (value === null || JSON.stringify(value) === JSON.stringify(account)) return value;
  const request = { projectId, kind, baseRevision: revision, title: kind, excerpt: "", lines: 0, characters: 0 };
  await callApi("projectPut", { ...request, document: toDocument(value) });
  return value;
}
