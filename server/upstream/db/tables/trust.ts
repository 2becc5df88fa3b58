import type { ColumnType, Generated } from "kysely";

/** Consents, proofs, revocations, reports, and what labels are checked by. */
export interface TrustTables {
  /** A voice owner's consent: the statement, time and address; read aloud where there is a recording. */
  role_consent: {
    role_id: string;
    account_id: string;
    statement_id: string;
    statement_version: number;
    statement_sha256: string;
    agreed_at: Generated<Date>;
    address: string;
    recording_id: string | null;
  };

  /** Agreement to a statement when a voice was learned from a recording; one row of each kind. */
  recording_consent: {
    recording_id: string;
    /** `confirmed` by who uploaded it · `link`: read aloud by the speaker, who was asked by a link. */
    kind: "confirmed" | "link";
    statement_id: string;
    statement_version: number;
    statement_sha256: string;
    agreed_at: Generated<Date>;
    address: string;
  };

  /** A prompt to read aloud, and how the recording of it was judged; see docs/decisions/0054-voice-proofs.md. */
  voice_proof: {
    id: Generated<string>;
    /** Owner of the prompt: `account:<id>` or `visitor:<id>`. */
    owner: string;
    /** The recording whose voice is to be proven; null until the prompt's reading becomes it. */
    recording_id: string | null;
    statement_id: string;
    statement_version: number;
    statement_sha256: string;
    /** Words separated by spaces, one entry a line. */
    lines: string[];
    /** Hash of statement and lines. */
    prompt_sha256: string;
    address: string;
    created_at: Generated<Date>;
    expires_at: Date;
    /** A prompt is used once. */
    submitted_at: Date | null;
    /** The prompt read aloud. */
    spoken_id: string | null;
    outcome: "yes" | "no" | "unclear" | "unusable" | null;
    reason: string | null;
    /** Figures, thresholds and versions. */
    measures: ColumnType<unknown, string | null, string | null>;
    decided_at: Date | null;
    /** An operator's answer to what was unclear. */
    review: "asked" | "accepted" | "refused" | null;
    reviewed_by: string | null;
    reviewed_at: Date | null;
    /** For the role's owner. */
    review_reason: string | null;
  };

  /** A link by which the person whose voice a role has is asked for consent. */
  consent_link: {
    id: string;
    account_id: string;
    /** The role may be deleted. */
    role_id: string;
    role_name: string;
    /** Null once the voice is deleted. */
    recording_id: string | null;
    /** The name that the person sees of who asks. */
    asker_name: string;
    token_sha256: string;
    /** To show the link again. */
    token_sealed: Buffer;
    created_at: Generated<Date>;
    /** End of the time to answer. */
    expires_at: Date;
    /** The latest prompt that was read aloud. */
    proof_id: string | null;
    answer_address: string | null;
    declined_at: Date | null;
    withdrawn_at: Date | null;
    /** Receipt of the withdrawal. */
    receipt: ColumnType<unknown, string | null, string | null>;
    /** Shown to the account. */
    is_listed: Generated<boolean>;
  };

  /** Receipt of a voice whose consent was taken back. It names no person and no voice. */
  voice_revocation: {
    id: string;
    revoked_by: "owner" | "speaker" | "operator";
    removed: ColumnType<unknown, string, never>;
    revoked_at: Generated<Date>;
    /** Null until all bytes are deleted. */
    erased_at: Date | null;
  };

  /** A voice that an operator takes down; a voiceprint blocks it until it is lifted. */
  voice_takedown: {
    id: Generated<string>;
    /** The role is deleted when it is done. */
    role_id: string;
    operator: string;
    reason: string;
    requested_at: Generated<Date>;
    done_at: Date | null;
    /** Reason why nothing was taken down. */
    failure: string | null;
    receipt_id: string | null;
    model: string | null;
    /** JSON, sealed like a voice profile. Null for a recording too short to recognise, and after it is lifted. */
    voiceprint_sealed: Buffer | null;
    /** Recordings refused because of it. */
    refusals: Generated<number>;
    lifted_at: Date | null;
  };

  /** A report about a role on the square; one row per role and reporter. */
  role_report: {
    id: Generated<string>;
    role_id: string;
    /** `account:<id>` or `visitor:<id>`; `gone:<id>` after the account's deletion. */
    reporter: string;
    address: string;
    reason: string;
    created_at: Generated<Date>;
    /** Null until an operator has reviewed it. */
    reviewed_at: Date | null;
  };

  /** Fingerprint of a spoken sound. It has no owner and outlives its files: see docs/decisions/0014-verify.md. */
  fingerprint: {
    id: Generated<number>;
    /** Hash of the words: equal sounds are one row. */
    digest: string;
    /** Words of 32 bits, little-endian. */
    words: Buffer;
    created_at: Generated<Date>;
  };

  /** Index of the reliable words of fingerprints. */
  fingerprint_key: {
    key: number;
    fingerprint_id: number;
    /** Frame within the fingerprint. */
    place: number;
  };

  /** All numbers that AI-content labels have used, with their fingerprints. */
  content: {
    /** The label's ProduceID. */
    content_id: string;
    /** Null until the sweep completes a missing fingerprint. */
    fingerprint_id: number | null;
    /** Whether equal sound without a label was made here: not with music in it, which may be anybody's sound. */
    is_evidence: Generated<boolean>;
    created_at: Generated<Date>;
  };

  /** Public keys that have signed labels and receipts. A key whose private half has leaked is deleted here. */
  signing_key: {
    /** Start of the public key's hash; part of every signature. */
    id: string;
    /** Ed25519, 32 bytes. */
    public_key: Buffer;
    created_at: Generated<Date>;
  };
}
