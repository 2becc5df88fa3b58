import { accountCopy } from "~/copy/account";
import { developersCopy, keysCopy } from "~/copy/developers";
import { fieldFaults } from "~/copy/errors";
import { siteCopy } from "~/copy/site";
import { paths } from "~/paths";
import { logInByForm, logInByRequest } from "../support/browser-login";
import { expectAccessible } from "./axe";
import { expect, test } from "./fixtures";

// The browser logs the refused requests of a revoked key and of an address that is not allowed.
test.use({ allowedErrors: [/40[01]/] });

test("a developer reads the page, logs in, creates a key that speaks at once, and revokes it", async ({
  page,
  request,
  productUrl,
}) => {
  await page.goto(paths.verify, { waitUntil: "networkidle" });
  await page.getByRole("contentinfo").getByRole("link", { name: siteCopy.footer.developers }).click();
  await expect(page.getByRole("heading", { level: 1, name: developersCopy.heading })).toBeVisible();
  await page.locator("summary").filter({ hasText: "/audio/speech" }).click();
  await expect(page.getByText(developersCopy.secretPlaceholder)).toContainText("export PORT=");
  await expect(page.getByRole("rowheader", { name: "input" })).toBeVisible();
  await expectAccessible(page, "developers");
  await page.getByRole("link", { name: developersCopy.createKey }).click();
  await logInByForm(page);

  const name = page.getByLabel(keysCopy.name, { exact: true });
  await page.getByRole("button", { name: keysCopy.create }).click();
  await expect(page.getByRole("alert")).toHaveText(fieldFaults.missing(keysCopy.name));
  await expect(name).toBeFocused();
  await name.fill("有声书脚本");
  await expect(page.getByRole("alert")).toHaveCount(0);
  await page.getByRole("button", { name: keysCopy.create }).click();
  const secret = page.getByLabel(keysCopy.created.key.label, { exact: true });
  await expect(secret).toHaveValue(/^sk-[\w-]{43}$/);
  const key = await secret.inputValue();
  const speak = () =>
    request.post(`${productUrl}/api/v1/audio/speech`, {
      data: { model: "tts-1", voice: "沈砚", input: "你好，世界。" },
      headers: { authorization: `Bearer ${key}` },
    });
  expect((await speak()).headers()["content-type"]).toBe("audio/mpeg");
  await page.reload({ waitUntil: "networkidle" });
  await expect(secret).toHaveCount(0);
  await expect(page.getByText(keysCopy.use(6, null))).toBeVisible();
  await expectAccessible(page, "keys");

  await page.getByLabel(keysCopy.webhook.url).fill("https://127.0.0.1/hook");
  await page.getByRole("button", { name: keysCopy.webhook.save }).click();
  await expect(page.getByRole("alert")).toHaveText(keysCopy.webhook.notAllowed);

  await page.getByLabel(keysCopy.revokeNamed("有声书脚本")).click();
  await page.getByRole("button", { name: keysCopy.confirmRevoke }).click();
  await expect(page.getByText(keysCopy.revoked)).toBeVisible();
  expect((await speak()).status()).toBe(401);
});

test("without scripts a member creates a key from the account's page", async ({ browser, productUrl }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  await logInByRequest(context.request, productUrl);
  const page = await context.newPage();
  await page.goto(productUrl + paths.keys);
  await expect(page).toHaveTitle(new RegExp(accountCopy.keys));
  await page.getByLabel(keysCopy.name, { exact: true }).fill("没有脚本");
  await page.getByRole("button", { name: keysCopy.create }).click();
  await expect(page.getByLabel(keysCopy.created.key.label, { exact: true })).toHaveValue(/^sk-/);
  await context.close();
});
