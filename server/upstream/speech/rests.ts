/** Milliseconds that punctuation rests at the normal pace. */
export const restMs = { comma: 200, sentence: 400, question: 420, exclamation: 400, paragraph: 650 } as const;
