import { expect, test } from "vitest";
import { formatDataLocation } from "./main";

test.each([
  [undefined, "/data"],
  ["postgres://owner:secret@db.example:5433/product", "postgres://db.example:5433/product"],
  ["postgres://db.example/product?user=owner&password=secret", "postgres://db.example/product"],
])("the log shows the data location without passwords: %s", (databaseUrl, expected) => {
  expect(formatDataLocation({ databaseUrl, dataDir: "/data" })).toBe(expected);
});
