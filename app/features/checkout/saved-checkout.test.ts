import { expect, test } from "vitest";
import { paths } from "~/paths";
import { toReturn } from "./saved-checkout";

const now = 1_800_000_000_000;
const checkout = { isOpen: false, packageId: "1", method: 2 as const, orders: {} };
const left = { checkout, from: "/main/dubbing?role=7", at: now - 60_000 };
const back = { pathname: paths.subscribe, search: "?out_trade_no=1&total_amount=39.00" };

test("a gateway's page leads back to where the payer left, with the checkout open", () => {
  expect(toReturn(left, back, now)).toEqual({ checkout: { ...checkout, isOpen: true }, from: left.from });
});

test.each([
  ["a plain visit", left, { ...back, search: "" }],
  ["another page", left, { ...back, pathname: "/" }],
  ["a browser that left nothing", null, back],
  ["a departure of hours ago", { ...left, at: now - 10_000_000 }, back],
  ["an address of another site", { ...left, from: "//evil.example" }, back],
])("%s is no return", (_name, departure, visited) => {
  expect(toReturn(departure, visited, now)).toBeNull();
});
