import { sql } from "kysely";
import { consentStatements, proofStatement, vendorStatementIds } from "~server/contract/consent";
import type { Db } from "../db/database";
import { AppError } from "../errors";

export interface StatementColumns {
  statement_id: string;
  statement_version: number;
  statement_sha256: string;
}

/**
 * The columns of a statement that is shown today or was. Throws consent-missing for no or an unknown statement. The
 * proof's statement counts only where `allowsProof` is true: it must have been read aloud.
 */
export function requireStatement(statementId: string | undefined, allowsProof = false): StatementColumns {
  const statements = allowsProof ? [...consentStatements, proofStatement] : consentStatements;
  const statement = statements.find(({ id }) => id === statementId);
  if (!statement) throw new AppError("consent-missing", "no known statement");
  return { statement_id: statement.id, statement_version: statement.version, statement_sha256: statement.sha256 };
}

/**
 * Records the agreement to the statement for a recording's voice, and its network address. The first agreement stays,
 * unless this one allows vendors and that did not: then the voice is learned again, with the vendors.
 */
export async function insertConsent(
  trx: Db,
  recordingId: string,
  consent: StatementColumns & { address: string },
): Promise<void> {
  const inserted = await trx
    .insertInto("recording_consent")
    .values({ recording_id: recordingId, kind: "confirmed", ...consent })
    .onConflict((conflict) =>
      conflict
        .columns(["recording_id", "kind"])
        .doUpdateSet({ ...consent, agreed_at: sql<Date>`now()` })
        .where("recording_consent.statement_id", "not in", vendorStatementIds)
        .where(sql<boolean>`excluded.statement_id in (${sql.join(vendorStatementIds)})`),
    )
    .returning("recording_id")
    .execute();
  if (inserted.length > 0 && vendorStatementIds.includes(consent.statement_id)) {
    await trx.updateTable("recording").set({ profile_key: null }).where("id", "=", recordingId).execute();
  }
}

/** Records that the owner of a recording accepts what a vendor bills once per voice. */
export async function acceptFee(trx: Db, recordingId: string): Promise<void> {
  const accepted = { fee_accepted_at: sql<Date>`coalesce(fee_accepted_at, now())` };
  await trx.updateTable("recording").set(accepted).where("id", "=", recordingId).execute();
}

/** Whether the recording may be sent to vendors. */
export async function allowsVendors(db: Db, recordingId: string): Promise<boolean> {
  const agreed = db.selectFrom("recording_consent").select("statement_id").where("recording_id", "=", recordingId);
  return (await agreed.where("statement_id", "in", vendorStatementIds).executeTakeFirst()) !== undefined;
}

/** Throws consent-missing for a recording from which no voice may be learned. */
export async function requireConsent(trx: Db, recordingId: string): Promise<void> {
  const agreed = trx.selectFrom("recording_consent").select("recording_id").where("recording_id", "=", recordingId);
  if (!(await agreed.executeTakeFirst())) throw new AppError("consent-missing", "no consent to learn this voice");
}
