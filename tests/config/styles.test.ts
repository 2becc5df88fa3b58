import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

// Every change of the page would look for elements in all of it that such a rule affects.
test("no style asks the body or the root for a descendant with :has()", () => {
  const files = readdirSync("app", { recursive: true, encoding: "utf8" }).map((file) => `app/${file}`);
  const styles = files.filter((path) => path.endsWith(".css"));
  expect(styles.length).toBeGreaterThan(1);
  const rules = /(?:^|[\s,}])(?:body|html|:root|main)[^\s,{]*:has\(\s*[^>\s]/;
  expect("body:has(.open) .menu {}").toMatch(rules);
  expect(styles.filter((path) => rules.test(readFileSync(path, "utf8")))).toEqual([]);
});
