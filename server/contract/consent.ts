/**
 * The statements somebody agrees to before a voice is cloned. Their words are in app/copy/recording.ts; what was agreed to is
 * kept as the SHA-256 of those words in UTF-8. A changed sentence is a new statement with a new id.
 */
export const consentStatements = [
  { id: "voice-consent-1", version: 1, sha256: "4ebc36629eeabf7c9504097f45214667e9b06f09d4130ab099abb6422fd930f8" },
] as const;

/** The one shown today. */
export const consentStatementId = consentStatements[0].id;
