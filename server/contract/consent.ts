/**
 * The statements that require agreement before a voice is cloned. Their text is in app/copy/recording.ts; a consent stores
 * the SHA-256 of that text in UTF-8. A changed text is a new statement with a new id.
 */
export const consentStatements = [
  { id: "voice-consent-1", version: 1, sha256: "4ebc36629eeabf7c9504097f45214667e9b06f09d4130ab099abb6422fd930f8" },
] as const;

/** The one shown today. */
export const consentStatementId = consentStatements[0].id;
