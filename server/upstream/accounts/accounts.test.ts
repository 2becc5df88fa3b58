import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { captchaRequest } from "~server/contract/calls/users";
import { createAccountKeys, maskPhone } from "./credentials";

const phone = fc
  .tuple(fc.integer({ min: 3, max: 9 }), fc.integer({ min: 0, max: 999_999_999 }))
  .map(([second, rest]) => `1${second}${String(rest).padStart(9, "0")}`);
const takes = (value: unknown) => captchaRequest.safeParse({ phone: value }).success;

describe("phones", () => {
  it("have eleven digits, the first 1 and the second 3 to 9", () => {
    fc.assert(fc.property(phone, (good) => takes(good)));
    fc.assert(fc.property(fc.string(), (text) => takes(text) === /^1[3-9][0-9]{9}$/.test(text.trim())));
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 }), phone, (second, good) => !takes(`1${second}${good.slice(2)}`)),
    );
    fc.assert(
      fc.property(
        phone,
        fc.constantFrom("０", "٣", "a", "-", " ", "\n1"),
        (good, odd) => !takes(good.slice(0, 10) + odd),
      ),
    );
    for (const wrong of [13812345678, null, undefined, [], {}, true]) expect(takes(wrong)).toBe(false);
  });

  it("are masked in the middle digits", () => {
    fc.assert(fc.property(phone, (whole) => maskPhone(whole) === `${whole.slice(0, 3)}****${whole.slice(7)}`));
  });
});

describe("account keys", () => {
  const keys = createAccountKeys("one secret");

  it("decrypt what they encrypted, with a different ciphertext each time", () => {
    fc.assert(
      fc.property(phone, (whole) => {
        const sealed = keys.sealPhone(whole);
        return keys.openPhone(sealed) === whole && sealed !== keys.sealPhone(whole) && !sealed.includes(whole);
      }),
    );
  });

  it("refuse altered or truncated ciphertext and another secret", () => {
    const sealed = Buffer.from(keys.sealPhone("13812345678"), "base64url");
    for (let at = 0; at < sealed.length; at++) {
      const altered = Buffer.from(sealed);
      altered[at] = (altered[at] ?? 0) ^ 1;
      expect(() => keys.openPhone(altered.toString("base64url"))).toThrow();
    }
    expect(() => keys.openPhone(sealed.subarray(0, 20).toString("base64url"))).toThrow();
    expect(() => createAccountKeys("another").openPhone(sealed.toString("base64url"))).toThrow();
  });

  it("hash differently for each purpose and secret", () => {
    const other = createAccountKeys("another");
    const hashes = [keys.hashPhone("13812345678"), other.hashPhone("13812345678"), keys.hashCode("a", "123456")];
    expect(new Set([...hashes, keys.hashCode("b", "123456"), keys.makeToken("a", "123456")]).size).toBe(5);
    expect(keys.hashPhone("13812345678")).toBe(hashes[0]);
    expect(Buffer.from(keys.makeToken("nonce", ""), "base64url")).toHaveLength(32);
  });
});
