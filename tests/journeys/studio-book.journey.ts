import { strToU8, zipSync } from "fflate";
import type { Page } from "playwright/test";
import sharp from "sharp";
import { editorCopy } from "~/copy/dubbing";
import { importDialogCopy } from "~/copy/dubbing-dialogs";
import { dubbingRecordsCopy, dubGenerationCopy } from "~/copy/dubbing-records";
import { bookCopy, projectCopy } from "~/copy/dubbing-tools";
import { paths } from "~/paths";
import { logInByRequest } from "../support/browser-login";
import { readMp4Book } from "../support/mp4-book";
import { downloadBy } from "../support/page-actions";
import { expectAccessible } from "./axe";
import { expect, test } from "./fixtures";

const toPage = (body: string) => `<html xmlns="http://www.w3.org/1999/xhtml"><body>${body}</body></html>`;

async function bookBytes(): Promise<Buffer> {
  const cover = await sharp({ create: { width: 1800, height: 2400, channels: 3, background: "#a33" } })
    .png()
    .toBuffer();
  const container = `<container><rootfiles><rootfile full-path="book.opf"/></rootfiles></container>`;
  const items = ["one", "two"].map((name) => `<item id="${name}" href="${name}.xhtml"/>`).join("");
  const spine = `<spine><itemref idref="one"/><itemref idref="two"/></spine>`;
  const picture = `<item id="c" href="c.png" media-type="image/png" properties="cover-image"/>`;
  const opf = `<package><metadata><title>山中来信</title><creator>佚名</creator></metadata><manifest>${picture}${items}</manifest>${spine}</package>`;
  const texts = {
    mimetype: "application/epub+zip",
    "META-INF/container.xml": container,
    "book.opf": opf,
    "one.xhtml": toPage(`<h1>第一章 雾</h1><p>信<sup><a href="#n">1</a></sup>到了。</p><p id="n">家书。</p>`),
    "two.xhtml": toPage(`<h1>第二章 雨</h1><p>下雨了。</p>`),
  };
  const files = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, strToU8(text)]));
  return Buffer.from(zipSync({ ...files, "c.png": new Uint8Array(cover) }));
}

const field = (page: Page) => page.getByRole("textbox", { name: /^第 1 句台词/ });
const record = (page: Page, title: string) => page.getByRole("article").filter({ hasText: title });

async function generate(page: Page, title: string) {
  await page.getByRole("button", { name: dubGenerationCopy.go, exact: true }).click();
  await expectExport(page, title);
}

const expectExport = (page: Page, title: string) =>
  expect(record(page, title).getByRole("button", { name: dubbingRecordsCopy.export(title), exact: true })).toBeVisible({
    timeout: 60_000,
  });

test("a book is imported with its notes, spoken chapter by chapter, and saved as one audiobook", async ({
  page,
  productUrl,
}) => {
  await logInByRequest(page.request, productUrl);
  await page.goto(paths.dubbing, { waitUntil: "networkidle" });
  const file = { name: "x.epub", mimeType: "application/epub+zip", buffer: await bookBytes() };
  await page.getByLabel(editorCopy.openFile).setInputFiles(file);
  await expect(page.getByText(importDialogCopy.notes.title)).toBeVisible();
  await expectAccessible(page, "asking for the notes of a book");
  await page.getByRole("button", { name: importDialogCopy.notes.confirm }).click();
  await expect(field(page)).toHaveValue("第一章 雾");
  await expect(page.getByRole("textbox", { name: /^第 3 句台词/ })).toHaveValue("家书。");
  await generate(page, "第一章 雾");

  await page.getByRole("button", { name: editorCopy.projects }).click();
  await expect(page.getByText(bookCopy.state("山中来信", 2, 1))).toBeVisible();
  await expectAccessible(page, "the book among the projects");
  await page.getByRole("button", { name: bookCopy.rest(1) }).click();
  await expect(page.getByText(bookCopy.done)).toBeVisible();
  await page.getByRole("button", { name: projectCopy.open("第二章 雨") }).click();
  await expect(field(page)).toHaveValue("第二章 雨");
  await expect(record(page, "第一章 雾")).toBeVisible();
  await expectExport(page, "第二章 雨");

  const { name, bytes } = await downloadBy(page, async () => {
    await page.getByRole("button", { name: dubbingRecordsCopy.export("第一章 雾"), exact: true }).click();
    await page.getByRole("menuitem", { name: dubbingRecordsCopy.formats.m4b }).click();
  });
  const { cover, track, ...tags } = readMp4Book(bytes);
  expect([name, tags.title, tags.author]).toEqual(["山中来信.m4b", "山中来信", "佚名"]);
  expect(track.map((chapter) => chapter[1])).toEqual(["第一章 雾", "第二章 雨"]);
  expect(await sharp(cover ?? Buffer.of()).metadata()).toMatchObject({ format: "jpeg", width: 1050, height: 1400 });
});
