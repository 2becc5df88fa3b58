import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import type { CallData, CallRequest } from "~server/contract/calls/table";
import type { RecordingQuality } from "~server/contract/recording/quality";
import type { Db } from "../db/database";
import { AppError } from "../errors";
import { idOfOwner, isAccount, type Owner, ownerOf } from "../owner";
import type { Keyring } from "../sealing";
import { isUuid } from "../sql-fragments";
import {
  type AnswerParts,
  createAnswers,
  hashOfToken,
  recordConsents,
  selectLinks,
  speakerOf,
  stateOfLink,
} from "./consent-answers";
import type { Files } from "./ports";
import type { Recordings } from "./recordings";
import { requireProvable } from "./reference-refusal";

export type ConsentLink = CallData<"consentLinkCreate">;

/** Links by which the person whose voice a role has agrees to its use; see docs/decisions/0065-consent-links.md. */
export type ConsentLinks = ReturnType<typeof createConsentLinks>;

export interface ConsentLinkParts extends AnswerParts {
  recordings: Pick<Recordings, "findId" | "forget">;
  files: Pick<Files, "give" | "expire">;
  /** Seals the tokens, so that the owner can be shown a link again. */
  keyring: Keyring;
  hitRate(
    key: string,
    rule: { limit: number; windowSeconds: number },
  ): Promise<{ isAllowed: boolean; retryAfterSeconds: number }>;
}

const answerHours = 24;
const linksPerDay = 10;
/** Days for which the page of an ended link says what became of it. */
const endedDays = 90;
const tokenBytes = 24;

type LinkRow = Awaited<ReturnType<ReturnType<typeof selectLinks>["executeTakeFirstOrThrow"]>>;

export function createConsentLinks(parts: ConsentLinkParts) {
  const { db, keyring, recordings, files } = parts;

  const toLink = (row: LinkRow): ConsentLink => {
    const isOpen = ["waiting", "judging", "review", "given"].includes(row.state);
    return {
      ...{ linkId: row.id, roleId: row.role_id, roleName: row.role_name, askerName: row.asker_name, state: row.state },
      token: isOpen ? (keyring.open(row.token_sealed, row.id) ?? "") : "",
      createdAt: row.createdAt ?? "",
      expiresAt: row.expiresAt ?? "",
      answeredAt: row.answeredAt ?? "",
    };
  };
  const listed = (accountId: string) =>
    selectLinks(db).where("account_id", "=", accountId).where("is_listed", "=", true).orderBy("created_at", "desc");

  return {
    ...createAnswers(parts),
    /** Throws not-found, proof-reference-short `{need}`, and too-many for too many links in a day. */
    async create(accountId: string, request: CallRequest<"consentLinkCreate">): Promise<ConsentLink> {
      const id = await createLink(parts, accountId, request);
      return toLink(await selectLinks(db).where("consent_link.id", "=", id).executeTakeFirstOrThrow());
    },
    async list(accountId: string, { roleId }: CallRequest<"consentLinkList">): Promise<CallData<"consentLinkList">> {
      const rows = await (roleId ? listed(accountId).where("role_id", "=", roleId) : listed(accountId)).execute();
      return { list: rows.map(toLink) };
    },
    /** Ends an open question; the link leaves the list unless its consent is given or under review. Throws not-found. */
    async remove(accountId: string, linkId: string) {
      const own = db.updateTable("consent_link").where("account_id", "=", accountId).where("is_listed", "=", true);
      const found = isUuid(linkId) && own.where("id", "=", linkId);
      const removed =
        found &&
        (await found
          .set({
            is_listed: sql<boolean>`${stateOfLink} in ('given', 'review', 'judging')`,
            expires_at: sql<Date>`least(expires_at, now())`,
          })
          .returning("id")
          .executeTakeFirst());
      if (!removed) throw new AppError("not-found", "no such link");
    },
    /** For the owner's export. */
    async listOf(accountId: string): Promise<object[]> {
      return (await listed(accountId).execute()).map((row) => ({ ...toLink(row), token: undefined }));
    },
    async forget(trx: Db, owner: Owner) {
      if (!isAccount(owner)) return;
      const speaker = speakerOf(idOfOwner(owner));
      await trx.deleteFrom("consent_link").where("account_id", "=", idOfOwner(owner)).execute();
      const spoken = await trx.selectFrom("recording").select("file_id").where("owner", "=", speaker).execute();
      await files.expire(
        trx,
        spoken.map(({ file_id }) => file_id),
      );
      await recordings.forget(trx, speaker);
    },
    /** Records consents that operators accepted, and deletes links that ended long ago. */
    async sweep() {
      await recordConsents(db);
      await sql`delete from consent_link where expires_at < now() - make_interval(days => ${endedDays}::int)
        and ${stateOfLink} not in ('waiting', 'judging', 'review', 'given')
        and greatest(expires_at, withdrawn_at, declined_at) < now() - make_interval(days => ${endedDays}::int)`.execute(
        db,
      );
    },
  };
}

/** Returns the link's id; ends the role's open questions. */
async function createLink(
  { db, keyring, hitRate }: ConsentLinkParts,
  accountId: string,
  { roleId, askerName }: CallRequest<"consentLinkCreate">,
): Promise<string> {
  const rate = await hitRate(`consent-link:${accountId}`, { limit: linksPerDay, windowSeconds: 86_400 });
  if (!rate.isAllowed) {
    const { retryAfterSeconds } = rate;
    throw new AppError("too-many", "too many consent links", { status: 429, retryAfterSeconds });
  }
  return db.transaction().execute(async (trx) => {
    const role = await requireVoice(trx, accountId, roleId);
    await trx
      .updateTable("consent_link")
      .set({ is_listed: false, expires_at: sql<Date>`least(expires_at, now())` })
      .where("role_id", "=", roleId)
      .where(sql<boolean>`${stateOfLink} in ('waiting', 'expired', 'declined')`)
      .execute();
    return insertLink(trx, keyring, {
      ...role,
      account_id: accountId,
      role_id: roleId,
      asker_name: askerName,
    });
  });
}

/** The role's name and recording; throws not-found, and proof-reference-short where nothing could be compared. */
async function requireVoice(trx: Db, accountId: string, roleId: string) {
  const voice = await trx
    .selectFrom("role")
    .innerJoin("recording", "recording.id", "role.recording_id")
    .select(["role.name as role_name", "recording.id as recording_id", "quality"])
    .where("role.id", "=", roleId)
    .where("role.owner", "=", ownerOf(accountId))
    .forUpdate("role")
    .executeTakeFirst();
  if (!voice) throw new AppError("not-found", "no such role with a recording");
  const { quality, ...columns } = voice as typeof voice & { quality: RecordingQuality };
  requireProvable(quality);
  return columns;
}

interface NewLink {
  account_id: string;
  role_id: string;
  role_name: string;
  recording_id: string;
  asker_name: string;
}

async function insertLink(trx: Db, keyring: Keyring, link: NewLink): Promise<string> {
  const token = randomBytes(tokenBytes).toString("base64url");
  const { rows } = await sql<{ id: string }>`select gen_random_uuid() as id`.execute(trx);
  const id = rows[0]?.id ?? "";
  const sealed = { token_sha256: hashOfToken(token), token_sealed: keyring.seal(token, id) };
  const expires_at = sql<Date>`now() + make_interval(hours => ${answerHours}::int)`;
  await trx
    .insertInto("consent_link")
    .values({ id, ...link, ...sealed, expires_at })
    .execute();
  return id;
}
