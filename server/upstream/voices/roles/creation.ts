import { randomUUID } from "node:crypto";
import { rolesFree } from "~server/contract/limits";
import type { Db } from "../../db/database";
import { AppError } from "../../errors";
import { type Consent, requireConsent } from "./consent";
import { type Face, toFace } from "./face";
import { startLearning } from "./learning";
import { getRole, type Role } from "./list";
import type { AccountOwner, RoleParts } from "./parts";

export interface NewRole extends Face {
  name: string;
  describe?: string | undefined;
  /** URL of an own recording. */
  voicePath: string;
  /** What the recording says; makes the voice closer. */
  transcript?: string | undefined;
  gender?: "male" | "female" | "unknown" | undefined;
  language?: string | undefined;
  tags?: string[] | undefined;
  consent?: Consent | undefined;
}

export interface Creator {
  accountId: string;
  /** Where the consent came from. */
  address: string;
}

/** Writes down role and consent and queues its learning in one transaction; the same key gets the same answer. */
export async function createRole(parts: RoleParts, creator: Creator, request: NewRole, key?: string): Promise<Role> {
  const owner: AccountOwner = `account:${creator.accountId}`;
  const tier = await parts.tierOf(creator.accountId);
  const result = await parts.once({ owner, call: "role", key, request }, async (trx) => {
    // Before all else: on no path is there a role without it.
    const consent = await requireConsent(trx, parts, { owner, consent: request.consent });
    await lockAccount(trx, creator.accountId);
    if (!tier) await requireRoom(trx, owner);
    const id = await insertRole(trx, parts, { owner, request });
    const { accountId: account_id, address } = creator;
    await trx
      .insertInto("role_consent")
      .values({ ...consent, role_id: id, account_id, address })
      .execute();
    await startLearning(trx, parts, { id, owner });
    return getRole(trx, id, 0);
  });
  if (result.kind === "other-request") throw new AppError("bad-request", "key of another request", { status: 409 });
  if (result.first) parts.queue.wake();
  return result.answer;
}

/** Puts all that makes and removes an account's roles in a row, its deletion included. */
export async function lockAccount(trx: Db, accountId: string): Promise<void> {
  const account = trx.selectFrom("account").select("id").where("id", "=", accountId).forUpdate();
  if (!(await account.executeTakeFirst())) throw new AppError("login-expired", "the account is gone");
}

async function requireRoom(trx: Db, owner: AccountOwner): Promise<void> {
  const kept = trx.selectFrom("role").where("owner", "=", owner);
  const { count } = await kept.select((eb) => eb.fn.countAll<string>().as("count")).executeTakeFirstOrThrow();
  if (Number(count) < rolesFree) return;
  throw new AppError("entitlement", "no room for another role", { data: { reason: "tier", limit: rolesFree } });
}

async function insertRole(
  trx: Db,
  parts: Pick<RoleParts, "recordings" | "files" | "beginning">,
  { owner, request }: { owner: AccountOwner; request: NewRole },
): Promise<string> {
  const recording_id = await parts.recordings.findId(owner, request.voicePath, trx);
  if (!recording_id) throw new AppError("voice-missing", "no own recording");
  const { name, describe = "", transcript = null, gender = "unknown", language = "zh", tags = [] } = request;
  const face = await toFace(trx, parts, { ...request, owner });
  const { category, preview: preview_text } = parts.beginning;
  const id = randomUUID();
  const said = { recording_id, transcript, category, preview_text, status: 1 } as const;
  await trx
    .insertInto("role")
    .values({ id, owner, name, describe, gender, language, tags, ...said, ...face })
    .execute();
  return id;
}
