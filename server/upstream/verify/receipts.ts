import { revocationReceipt } from "~server/contract/calls/roles";
import type { CallData } from "~server/contract/calls/table";
import { receiptTextOf } from "~server/contract/revocation";
import type { Signatures } from "./signatures";

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
