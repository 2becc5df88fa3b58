import { receiptTextOf, revocationReceipt } from "~server/contract/calls/proofs";
import type { CallData } from "~server/contract/calls/table";
import type { Db } from "../db/database";
import { isSignedBy, keyIdOf, type SigningKey } from "../signing";

/** `unsigned`: no signature · `foreign`: by a key that was never ours · `changed`: by our key, but over another text. */
export type SignatureVerdict = "valid" | "unsigned" | "foreign" | "changed";

export type Signatures = Awaited<ReturnType<typeof createSignatures>>;

/**
 * Signs with the present key and knows every key that has ever signed: public keys are stored at each start, so that a
 * replaced key stays valid. See docs/decisions/0014-verify.md.
 */
export async function createSignatures({ db, key }: { db: Db; key: SigningKey }) {
  await db
    .insertInto("signing_key")
    .values({ id: key.id, public_key: key.publicKey })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return {
    sign: key.sign,
    async judge(text: string, signature: string): Promise<SignatureVerdict> {
      if (signature === "") return "unsigned";
      const id = keyIdOf(signature);
      const known = id && db.selectFrom("signing_key").select("public_key").where("id", "=", id);
      const row = known ? await known.executeTakeFirst() : undefined;
      if (!row) return "foreign";
      return isSignedBy(row.public_key, text, signature) ? "valid" : "changed";
    },
  };
}

type JudgedReceipt = CallData<"verify">["receipt"];

interface ReceiptParts {
  signatures: Pick<Signatures, "judge">;
  /** Null for a receipt that was never issued here. */
  findReceipt(id: string): Promise<{ isErased: boolean } | null>;
}

/** A receipt has about 350 bytes. */
const maxBytes = 4096;

/** Judges a file that is the receipt of a revocation; null for every other file. */
export const createReceiptJudge =
  ({ signatures, findReceipt }: ReceiptParts) =>
  async (bytes: Uint8Array): Promise<JudgedReceipt> => {
    const read = bytes.length <= maxBytes ? revocationReceipt.safeParse(parseJson(bytes)) : null;
    if (!read?.success) return null;
    const { signature, ...receipt } = read.data;
    const issued = await findReceipt(receipt.receiptId);
    const verdict = await signatures.judge(receiptTextOf(receipt), signature);
    const { receiptId, revokedAt } = receipt;
    return { receiptId, revokedAt, signature: verdict, isErased: issued?.isErased ?? false };
  };

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString());
  } catch {
    return null;
  }
}
