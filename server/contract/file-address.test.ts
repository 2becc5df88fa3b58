import { expect, test } from "vitest";
import { blockedAddresses, createEncodings } from "../../tests/support/address-encodings";
import { fileAddressOf, fileIdOf, fileIdsOf } from "./file-address";

const own = fileAddressOf("aB3_-", "webp");

test("fileId returns the id of a file's address", () => {
  expect(own).toBe("/api/v1/files/aB3_-.webp");
  expect(fileIdsOf([own, null, "elsewhere"])).toEqual(["aB3_-"]);
});

test("fileId returns null for any other spelling", () => {
  const dressedUp = [`https://example.com${own}`, `${own}?download=1`, `${own}#a`, ` ${own}`, `${own}\n`, `/x${own}`];
  for (const text of ["", "a", "/api/v1/files/a", ...dressedUp]) expect(fileIdOf(text), text).toBeNull();
  for (const address of blockedAddresses)
    for (const spelling of createEncodings(address, own)) expect(fileIdOf(spelling), spelling).toBeNull();
});
