import { expect, test } from "vitest";
import { formOf } from "./command-arguments";
import { operationTable } from "./table";

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

test("options are called as complaints name them, and none is one that every command has", () => {
  for (const row of operationTable) {
    for (const [field, schema] of Object.entries(row.input.shape)) {
      const complaint = (schema as { safeParse(text: unknown): { error?: { issues: { message: string }[] } } })
        .safeParse(null)
        .error?.issues[0]?.message.split(" ")[0];
      if (!complaint?.startsWith("--")) continue;
      const option = row.cli.option?.field === field ? row.cli.option.name : kebab(field);
      expect(complaint, `${row.name}: ${formOf(row)}`).toBe(`--${option}`);
      expect(["operator", "reason", "json", "help"], row.name).not.toContain(option);
    }
  }
});
