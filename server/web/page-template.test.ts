import { randomBytes, randomUUID } from "node:crypto";
import { brotliDecompressSync } from "node:zlib";
import { expect, test } from "vitest";
import { createPageTemplate, createPlaceholders } from "./page-template";

const paragraphs = (count: number, seed: number) =>
  Array.from({ length: count }, (_, i) => `<p class="text-muted md:text-lg">第${i}段，${(i * seed) % 997}</p>`).join(
    "",
  );

/** A page as Remix writes it: scripts with the nonce, and the request id in escaped JSON. */
const pageWith = ({ nonce, requestId }: { nonce: string; requestId: string }, count = 400, seed = 7) =>
  `<!DOCTYPE html><html><head><script nonce="${nonce}">early()</script></head><body>${paragraphs(count, seed)}` +
  `<script nonce="${nonce}">a("[{\\"requestId\\":\\"${requestId}\\"},\\"ff\\"]")</script>${paragraphs(count, 13)}` +
  `<script type="module" nonce="${nonce}">b()</script></body></html>`;

const templateOf = (count?: number, seed?: number) => {
  const placeholders = createPlaceholders();
  const template = createPageTemplate(pageWith(placeholders, count, seed), placeholders);
  if (!template) throw new Error("no template");
  return template;
};
const newMarks = () => ({ nonce: randomBytes(16).toString("base64"), requestId: randomUUID() });

test("a template fills in every answer's own nonce and request id", () => {
  const template = templateOf();
  for (const marks of [newMarks(), newMarks(), { nonce: "n", requestId: "an-id-of-a-proxy" }])
    expect(Buffer.from(template.fill(marks)).toString()).toBe(pageWith(marks));
});

test("the compressed page decodes to every answer's own marks", async () => {
  for (let seed = 1; seed <= 12; seed++) {
    const template = templateOf(20 * seed, seed);
    for (let i = 0; i < 20; i++) {
      const marks = newMarks();
      const packed = await template.fillBrotli(marks);
      expect(packed && brotliDecompressSync(packed).toString()).toBe(pageWith(marks, 20 * seed, seed));
    }
  }
});

test("the compressed page takes marks of another length", async () => {
  const template = templateOf();
  for (const requestId of ["0123abcd", "f".repeat(64), randomUUID(), "proxy_id-1"]) {
    const marks = {
      nonce: `${newMarks().nonce}${requestId.slice(0, 3)}`.slice(0, 20 + (requestId.length % 7)),
      requestId,
    };
    const packed = await template.fillBrotli(marks);
    expect(packed && brotliDecompressSync(packed).toString()).toBe(pageWith(marks));
  }
});

test("a page longer than the compressor's window, where marks cannot be back-references, is not cached compressed", async () => {
  const placeholders = createPlaceholders();
  const noise = Array.from({ length: 10_000 }, () => randomUUID()).join("");
  const html = `<script nonce="${placeholders.nonce}">a()</script>${noise}<script nonce="${placeholders.nonce}">b()</script>`;
  const template = createPageTemplate(html, placeholders);
  expect(await template?.fillBrotli(newMarks())).toBeNull();
});

test("a page without marks is compressed as it is", async () => {
  const packed = await createPageTemplate("<p>plain</p>", createPlaceholders())?.fillBrotli(newMarks());
  expect(packed && brotliDecompressSync(packed).toString()).toBe("<p>plain</p>");
});

test("a page with a placeholder where no mark belongs has no template", () => {
  const placeholders = createPlaceholders();
  const { nonce, requestId } = placeholders;
  expect(createPageTemplate(`<script nonce="${nonce}"></script><p>${nonce}</p>`, placeholders)).toBeNull();
  expect(createPageTemplate(`<p>${requestId}</p><p>${requestId}</p>`, placeholders)).toBeNull();
});
