import { expect, test } from "vitest";
import { parseReturnPath } from "./json-route.server";

const origin = "https://example.com";

test.each([
  ["/main/clone", "/main/clone"],
  ["/main/square?category=1#list", "/main/square?category=1#list"],
  ["https://example.com/main/role", "/main/role"],
])("the return path %s is accepted", (wanted, path) => {
  expect(parseReturnPath(wanted, origin)).toBe(path);
});

test.each([
  null,
  "",
  "//evil.example",
  "/\\evil.example",
  "\\\\evil.example",
  "/\t/evil.example",
  "/.//evil.example",
  "/main/..//evil.example",
  "https://evil.example/main",
  "https://example.com.evil.example",
  "https://example.com@evil.example",
  "http://example.com/",
  "javascript:alert(1)",
  "data:text/html,x",
  "https://",
  "/user/login?next=/user/login",
  "/bff/session",
])("the return path %j is replaced by /", (wanted) => {
  expect(parseReturnPath(wanted, origin)).toBe("/");
});
