/** Stands in every film and on the card of every shared page; GB 45438-2025. */
export const visibleMark = "AI 生成";

/**
 * The agreement under which a member's downloads carry no audible mark. Its text is in app/copy/audible-mark.ts; the log
 * stores the version and the SHA-256 of that text in UTF-8. A changed text is a new version.
 */
export const markAgreement = {
  version: 1,
  sha256: "4e5e7007237887c3e4bf1c4b3f21baf28364a7feb11a8a4621c9bc207694c63f",
} as const;
