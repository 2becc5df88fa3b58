import words from "./console-words.json" with { type: "json" };

/** Texts of the operators' console; its words by the names of the table of operations are in the JSON file. */
export const consoleCopy = {
  ...words.texts,
  loggedInAs: (name: string, role: string) => `${name} · ${role}`,
  hear: { reference: "参考录音", spoken: "验证时念的录音" },
  sum: (days: number, value: string) => `近 ${days} 天 ${value}`,
  roles: { owner: "所有者", support: "客服", finance: "财务", moderator: "审核" },
  login: {
    ...words.login,
    sent: (phone: string) => `验证码已发送到 ${phone}`,
    demo: (code: string) => `演示模式的验证码：${code}`,
  },
};

/** The pages in the navigation, in their order. */
export const consolePages: string[] = words.pages;
/** Operations of the table. */
export const operationNames: Record<string, string> = words.operations;
/** Fields, columns and tables; `OF.FIELD` where an operation or a table has its own word. */
export const consoleWords: Record<string, string> = words.words;
/** Values of cells and choices; others are shown as they are. */
export const consoleValues: Record<string, string> = words.values;

/** What the server says in English, in the console's words; "" for an unknown sentence. */
export function translateDetail(detail: string): string {
  const fits = (pattern: string) => new RegExp(`^(?:${pattern})$`);
  const [pattern, text] = Object.entries<string>(words.details).find(([each]) => fits(each).test(detail)) ?? [];
  return pattern === undefined || text === undefined ? "" : detail.replace(fits(pattern), text);
}

export const operationName = (name: string) => operationNames[name] ?? name;
export const consoleWord = (name: string, of = "") => consoleWords[`${of}.${name}`] ?? consoleWords[name] ?? name;
/** A column of a CSV file; money is in fen there. */
export const csvHeading = (key: string, kind: string, of: string) =>
  `${consoleWord(key, of)}${kind === "fen" ? "（分）" : ""}`;
