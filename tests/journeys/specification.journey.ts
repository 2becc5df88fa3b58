import type { Page } from "playwright/test";
import { accountCopy, loginCopy } from "~/copy/account";
import { checkoutCopy } from "~/copy/checkout";
import { cloneRecordsCopy, composerCopy } from "~/copy/clone";
import { dubbingRecordsCopy, dubGenerationCopy } from "~/copy/dubbing-records";
import { errorSentences } from "~/copy/errors";
import { heroCopy, howItWorksCopy, trialCopy } from "~/copy/home";
import { errorPageCopy } from "~/copy/pages";
import { referenceCopy } from "~/copy/recording";
import { roleDetailCopy, roleFormCopy } from "~/copy/roles";
import { playerCopy, siteCopy } from "~/copy/site";
import { reportCopy, squareCopy, voicePickerCopy } from "~/copy/square";
import { subscribePageCopy } from "~/copy/subscribe";
import { worksCopy } from "~/copy/works";
import { paths } from "~/paths";
import { startProduct } from "../support/product";
import {
  responseShapes,
  type SpecificationUpstream,
  startSpecificationUpstream,
} from "../support/specification-upstream";
import { expect } from "./fixtures";
import { withMicrophone } from "./microphone";

interface Fixtures {
  shape: keyof typeof responseShapes;
  specification: SpecificationUpstream;
}

/** Starts the built site with ROLE=web before an upstream that implements the specification only. */
const test = withMicrophone("once").extend<Fixtures>({
  shape: ["records", { option: true }],
  specification: async ({ shape }, use) => {
    const upstream = await startSpecificationUpstream(responseShapes[shape]);
    await use(upstream);
    await upstream.close();
  },
  baseURL: async ({ specification }, use) => {
    const web = await startProduct({ ROLE: "web", API_BASE_URL: specification.url, FILE_PATHS: "/uploads/" });
    await use(web.url);
    await web.stop();
  },
});

/** The browser's console line for an intended refusal. */
const refused = [/status of (403|404) /];

const open = (page: Page, path: string) => page.goto(path, { waitUntil: "networkidle" });
const toast = (page: Page, text: string) => page.locator(".Toastify__toast").filter({ hasText: text });
const menu = (page: Page) => page.getByRole("button", { name: new RegExp(`^${accountCopy.label}`) });
const card = (page: Page) => page.getByRole("region", { name: trialCopy.label });
const box = (page: Page) => page.getByRole("region", { name: composerCopy.label });
const dialog = (page: Page, name: string) => page.getByRole("dialog", { name });

async function logIn(page: Page, from: string) {
  await open(page, paths.loginFrom(from));
  await page.getByLabel(loginCopy.phone, { exact: true }).fill("13800001111");
  await page.getByRole("button", { name: loginCopy.send }).click();
  await page.getByLabel(loginCopy.code, { exact: true }).fill("123456");
  await page.getByRole("button", { name: loginCopy.go, exact: true }).click();
  await expect(menu(page)).toBeVisible();
  await page.waitForLoadState("networkidle");
}

async function logOut(page: Page) {
  await open(page, paths.works);
  await expect(page.getByRole("heading", { name: worksCopy.missing.heading })).toBeVisible();
  await expect(page.getByText(worksCopy.sentence)).toHaveCount(0);
  await open(page, paths.square);
  await menu(page).click();
  await expect(page.getByRole("button", { name: accountCopy.logOut })).toBeVisible();
  await expect(page.getByText(accountCopy.export)).toHaveCount(0);
  await expect(page.getByText(accountCopy.remove)).toHaveCount(0);
  await expect(page.getByRole("link", { name: accountCopy.works, exact: true })).toHaveCount(0);
  await page.getByRole("button", { name: accountCopy.logOut }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: accountCopy.leaving.confirm }).click();
  await expect(page.getByRole("link", { name: siteCopy.login, exact: true })).toBeVisible();
}

async function pickVoice(page: Page) {
  await box(page)
    .getByRole("button", { name: new RegExp(`${composerCopy.voice.pick}|${composerCopy.voice.change}`) })
    .click();
  await page.getByRole("tab", { name: voicePickerCopy.tabs.square }).click();
  await page.getByRole("list", { name: voicePickerCopy.results }).getByRole("button").first().click();
  await expect(dialog(page, voicePickerCopy.title)).toBeHidden();
}

const generate = (page: Page, text: string) =>
  box(page)
    .getByLabel(composerCopy.text.label)
    .fill(text)
    .then(() => box(page).getByRole("button", { name: composerCopy.go, exact: true }).click());

test.use({ allowedErrors: refused });

test("a visitor tries, listens, logs in, clones and dubs where create calls answer null", async ({
  page,
  specification,
}) => {
  await open(page, paths.home);
  await expect(page.getByText(siteCopy.engines.embedded as string)).toHaveCount(0);
  await expect(page.getByText(siteCopy.footer.aiLabel)).toHaveCount(0);
  await expect(page.getByRole("link", { name: siteCopy.footer.verify })).toHaveCount(0);
  await expect(page.getByText(heroCopy.labelFact.figure, { exact: true })).toHaveCount(0);
  await expect(page.getByText(howItWorksCopy.heading)).toHaveCount(0);

  await card(page).getByRole("radio", { name: trialCopy.voice.sources.sample }).check({ force: true });
  await card(page)
    .getByRole("group", { name: trialCopy.voice.samples })
    .getByRole("radio")
    .first()
    .check({ force: true });
  await card(page).getByLabel(trialCopy.text.label).fill("今天的菜市场。");
  const refusal = "今日名额已满 <b>请明天</b> come back";
  specification.answerNext("/voice/try/create", { body: { code: 1001, data: null, msg: refusal } });
  await card(page).getByRole("button", { name: trialCopy.go }).click();
  await expect(toast(page, refusal)).toBeVisible();
  await expect(card(page).getByText(trialCopy.left(3))).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await card(page).getByRole("button", { name: trialCopy.go }).click();
  await expect(card(page).getByText(trialCopy.left(2))).toBeVisible();
  await expect(page.getByRole("region", { name: playerCopy.region })).toBeVisible();

  await open(page, paths.square);
  await expect(page.getByRole("list", { name: squareCopy.results }).getByRole("article")).toHaveCount(2);
  await page.getByRole("button", { name: squareCopy.menu("林小满") }).click();
  await page.getByRole("menuitem", { name: squareCopy.dub }).waitFor();
  await expect(page.getByRole("menuitem", { name: reportCopy.go })).toHaveCount(0);

  await logIn(page, paths.clone);
  await pickVoice(page);
  await generate(page, "银行里的人都在排队。");
  const row = page
    .getByRole("list", { name: cloneRecordsCopy.list })
    .getByRole("listitem")
    .filter({ hasText: "银行里" });
  await expect(row.getByRole("button", { name: cloneRecordsCopy.play("银行里的人都在排队。") })).toBeVisible();
  await row.getByRole("button", { name: cloneRecordsCopy.play("银行里的人都在排队。") }).click();
  // The sound is short: its pause button may be gone, its title in the player stays.
  await expect(page.getByRole("region", { name: playerCopy.region })).toContainText("银行里的人都在排队。");

  await open(page, paths.dubbing);
  await page.getByRole("textbox", { name: /^第 1 句台词/ }).fill("老板，来两斤。");
  await page.getByRole("button", { name: dubGenerationCopy.go }).click();
  await expect(page.getByRole("button", { name: dubbingRecordsCopy.play("") }).first()).toBeVisible();

  const created = specification.requests.filter((one) => /^POST .*create$/.test(one));
  expect(created).toEqual([
    ...["POST /voice/try/create", "POST /voice/try/create"],
    ...["POST /voice/create", "POST /dubbing/create"],
  ]);
  const others = specification.requests.filter((one) => !specified.test(one));
  expect([...new Set(others)]).toEqual(["GET /capabilities"]);
});

test.describe("where lists are bare arrays, create calls answer true and files lie below /uploads/", () => {
  test.use({ shape: "array", allowedErrors: refused });

  test("a member creates and deletes a role, pays, gets the tier's limit and logs out", async ({
    page,
    voiceFile,
    specification,
  }) => {
    await logIn(page, paths.home);
    await open(page, paths.roleNew());
    await page.getByRole("radio", { name: referenceCopy.sources.upload }).check({ force: true });
    await page.locator("input[type=file]").first().setInputFiles(voiceFile);
    await expect(page.getByRole("button", { name: referenceCopy.replace })).toBeVisible();
    await page.getByLabel(roleFormCopy.about.name, { exact: true }).fill("阿月");
    await page.getByRole("radio", { name: roleFormCopy.consent.ways.confirm }).check({ force: true });
    await page.getByRole("checkbox", { name: roleFormCopy.consent.confirm }).check();
    await page.getByRole("button", { name: roleFormCopy.go }).click();
    await page.getByRole("link", { name: /阿月/ }).click();
    await expect(page.getByRole("heading", { name: "阿月" })).toBeVisible();
    await expect(page.getByText(roleDetailCopy.edit, { exact: true })).toHaveCount(0);
    await expect(page.getByText(roleDetailCopy.publish, { exact: true })).toHaveCount(0);
    await page.getByRole("button", { name: new RegExp(`^${roleDetailCopy.menu("")}`) }).click();
    await page.getByRole("menuitem", { name: roleDetailCopy.remove }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: roleDetailCopy.removing.confirm }).click();
    await expect(page).toHaveURL(new RegExp(`${paths.role}$`));

    await open(page, paths.subscribe);
    await expect(page.getByText(checkoutCopy.orders.heading)).toHaveCount(0);
    await expect(page.getByText(subscribePageCopy.steps)).toHaveCount(0);
    await expect(page.getByText(subscribePageCopy.sentenceElsewhere)).toBeVisible();
    await page.getByRole("button", { name: new RegExp(subscribePageCopy.buy[2]) }).click();
    await expect(dialog(page, checkoutCopy.success.title)).toBeVisible();
    await page.getByRole("button", { name: checkoutCopy.success.done }).click();
    expect(specification.requests.filter((one) => one === "POST /pay/order/qrcode")).toHaveLength(1);

    await open(page, paths.clone);
    await expect(box(page).getByText(composerCopy.text.count(0, 1500))).toBeVisible();
    await pickVoice(page);
    specification.answerNext("/voice/create", {
      body: { code: 1001, data: { reason: "quota" }, msg: "Quota used up" },
    });
    await generate(page, "春天来了。");
    await expect(toast(page, "Quota used up")).toBeVisible();
    await dialog(page, checkoutCopy.success.title).getByRole("button", { name: checkoutCopy.success.goOn }).click();
    const records = page.getByRole("list", { name: cloneRecordsCopy.list }).getByRole("listitem");
    await expect(records.filter({ hasText: "春天来了。" })).toBeVisible();

    await open(page, paths.service);
    await expect(page.getByText(/内置引擎/)).toHaveCount(0);
    await open(page, paths.verify);
    await expect(page).toHaveURL(new RegExp(`${paths.notFound}$`));
    await logOut(page);
  });
});

test.describe("on a phone, with twelve packages", () => {
  test.use({ viewport: { width: 360, height: 740 } });

  test("the periods wrap, the chosen package and the payment are in sight together, and prices stay in their cards", async ({
    page,
    specification,
  }) => {
    const [first] = specification.state.products;
    if (!first) throw new Error("no packages");
    const twelve = Array.from({ length: 12 }, (_, at) => ({
      ...first,
      pCount: at,
      tagMark: `第 ${at + 1} 种`,
      price: 89_900,
      days: at,
    }));
    specification.state.products.splice(0, Number.POSITIVE_INFINITY, ...twelve);
    await logIn(page, paths.subscribe);
    await open(page, paths.subscribe);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    await page.getByRole("button", { name: new RegExp(subscribePageCopy.buy[1]) }).click();
    const pay = dialog(page, checkoutCopy.title);
    for (const choice of [pay.getByRole("radio", { name: "第 1 种" }), pay.getByRole("radio", { name: "第 12 种" })]) {
      await choice.check();
      await expect(choice).toBeInViewport({ ratio: 1 });
      await expect(pay.getByText(checkoutCopy.goPay(2))).toBeInViewport({ ratio: 1 });
    }
    for (const width of [360, 768, 1024]) {
      await page.setViewportSize({ width, height: 900 });
      const cards = pay.locator("label", { has: page.getByRole("radio") });
      const overflows = await cards.evaluateAll((all) => all.map((card) => card.scrollWidth - card.clientWidth));
      expect(Math.max(...overflows)).toBe(0);
    }
  });
});

test.describe("with an upstream whose gateway answers with pages", () => {
  const gateway = "https://openapi.alipay.com/gateway.do";
  const signed = `sign=${"a".repeat(344)}`;

  /** Answers for the gateway and keeps what it was sent. */
  async function answerAsGateway(page: Page) {
    const seen: string[] = [];
    await page.context().route("https://openapi.alipay.com/**", (route) => {
      seen.push(`${route.request().method()} ${route.request().url()} ${route.request().postData() ?? ""}`.trim());
      return route.fulfill({ contentType: "text/html; charset=utf-8", body: "<title>收银台</title>" });
    });
    return seen;
  }

  test("a desktop opens the gateway's page by a form or a link, beside the polling, and asks again without one", async ({
    page,
    specification,
  }) => {
    const seen = await answerAsGateway(page);
    const orderWith = (url: string) =>
      specification.answerNext("/pay/order/qrcode", { body: { code: 0, data: { orderId: "order-1", url }, msg: "" } });
    await logIn(page, paths.subscribe);
    orderWith("");
    await page.getByRole("button", { name: new RegExp(subscribePageCopy.buy[2]) }).click();
    await expect(dialog(page, checkoutCopy.title).getByText(checkoutCopy.noLink)).toBeVisible();

    const html = `<form method="post" action="${gateway}?${signed}"><input type="hidden" name="biz_content" value="{&quot;a&quot;:1}"></form><script>document.forms[0].submit();</script>`;
    orderWith(html);
    await dialog(page, checkoutCopy.title).getByRole("button", { name: checkoutCopy.retry }).click();
    const formPage = page.waitForEvent("popup");
    await page.getByRole("button", { name: checkoutCopy.goPay(1), exact: true }).click();
    await expect(await formPage).toHaveTitle("收银台");
    await (await formPage).close();

    orderWith(`${gateway}?${signed}`);
    await page.getByText(checkoutCopy.methods[2]).click();
    const linkPage = page.waitForEvent("popup");
    await page.getByRole("link", { name: checkoutCopy.goPay(2), exact: true }).click();
    await expect(await linkPage).toHaveTitle("收银台");
    await expect(page.getByRole("img", { name: checkoutCopy.qr })).toHaveCount(0);
    expect(seen).toEqual([
      `POST ${gateway}?${signed} biz_content=${encodeURIComponent('{"a":1}')}`,
      `GET ${gateway}?${signed}`,
    ]);

    specification.answerNext("/pay/result", { body: { code: 0, data: "SUCCESS", msg: "" } });
    await expect(dialog(page, checkoutCopy.success.title)).toBeVisible();
  });
});

test.describe("where lists are nested and fields have names of their own", () => {
  test.use({ shape: "other", allowedErrors: [/status of (403|404|422|502|503) /] });

  test("what is recognised is shown, and what cannot be read is said on every page and tried again", async ({
    page,
    specification,
  }) => {
    const unreadable = errorSentences.unreadable;
    const strange = { body: { code: 0, data: { list: [{ title: "x", nr: 1 }], total: 1 }, msg: "" } };
    await logIn(page, paths.home);
    for (const [path, call] of [
      [paths.home, "/role/common/home"],
      [paths.square, "/role/common/list"],
      [paths.role, "/voice/role/list"],
      [`${paths.clone}?page=1`, "/voice/list"],
      [paths.dubbing, "/dubbing/list"],
      [paths.subscribe, "/pay/product"],
    ] as const) {
      specification.answerNext(call, strange);
      await open(page, path);
      await expect(page.getByText(unreadable)).toBeVisible();
      const retry = { name: checkoutCopy.retry, exact: true };
      await page.getByRole("link", retry).or(page.getByRole("button", retry)).click();
      await expect(page.getByText(unreadable)).toHaveCount(0);
    }
    specification.answerNext("/role/common/list", { status: 503, body: { code: 503, msg: "系统升级中" } });
    await page.goto(paths.person("id-1"));
    await expect(page.getByRole("heading", { name: "系统升级中" })).toBeVisible();
    await expect(page).toHaveTitle(new RegExp(`^${siteCopy.failed}`));
    await page.getByRole("button", { name: errorPageCopy.reload }).click();
    await expect(page).toHaveTitle(/林小满/);
  });

  test("records without words, dates or lengths offer what can work, and no figure that is not known", async ({
    page,
    specification,
  }) => {
    const file = "/api/v1/files/1.wav";
    await logIn(page, paths.home);
    specification.answerAlways("/voice/list", {
      body: {
        code: 0,
        msg: "",
        data: [
          { recordId: 1, text: "没有日期", output: file },
          { recordId: 2, text: "没有声音", status: "done" },
        ],
      },
    });
    specification.answerAlways("/dubbing/list", {
      body: {
        code: 0,
        msg: "",
        data: [
          { dubbingId: 1, title: "没有台词", output: file },
          { dubbingId: 2, title: "有台词", text: "你好。", audioId: "id-1", output: file },
        ],
      },
    });
    await open(page, `${paths.clone}?page=1`);
    await expect(page.getByText(errorSentences.unreadable)).toBeVisible();
    await expect(page.getByText(/0 月|NaN/)).toHaveCount(0);

    await open(page, paths.dubbing);
    const record = (title: string) =>
      page.getByRole("article").filter({ has: page.getByRole("heading", { name: title, exact: true }) });
    const edit = page.getByRole("menuitem", { name: dubbingRecordsCopy.edit });
    await record("没有台词")
      .getByRole("button", { name: dubbingRecordsCopy.menu("") })
      .click();
    await page.getByRole("menuitem", { name: dubbingRecordsCopy.remove }).waitFor();
    await expect(edit).toHaveCount(0);
    await page.keyboard.press("Escape");
    await record("有台词")
      .getByRole("button", { name: dubbingRecordsCopy.menu("") })
      .click();
    await edit.click();
    await expect(page.getByRole("textbox", { name: /^第 1 句台词/ })).toHaveText(/你好。/);
    await expect(page.getByText(/0\.0 秒/)).toHaveCount(0);
    await expect(page.getByText(dubGenerationCopy.cost.nothing)).toHaveCount(0);

    const role = { uuid: "r", title: "阿月", avatar: file, output: file };
    specification.answerAlways("/voice/role/list", { body: { code: 0, data: [role], msg: "" } });
    await open(page, paths.roleEdited("r"));
    await expect(page.getByRole("heading", { name: "阿月" })).toBeVisible();
    await expect(page.getByText(roleDetailCopy.confirmPhoto)).toHaveCount(0);
    await expect(page.getByRole("button", { name: roleFormCopy.save })).toHaveCount(0);
  });

  test("a used-up trial opens a tier, and a payer who asks hears the upstream's words", async ({
    page,
    specification,
  }) => {
    const pack = { pCount: 3, pCode: "pack", tagMark: "加量包", price: 900, packageType: 3, usedChar: 0 };
    specification.state.products.push({ ...pack, discountMark: "", cornerMark: "" });
    specification.answerAlways("/users/info", {
      body: { code: 0, msg: "", data: { mobile: "13800001111", try_num: 3 } },
    });
    await logIn(page, paths.home);
    await open(page, paths.home);
    await card(page).getByRole("button", { name: trialCopy.usedUp.member }).click();
    const pay = dialog(page, checkoutCopy.title);
    await expect(pay.getByRole("tab", { name: checkoutCopy.tabs[2] })).toHaveAttribute("aria-selected", "true");
    const words = { body: { code: 7, data: null, msg: "银行系统维护中" } };
    specification.answerAlways("/pay/result", words);
    await pay.getByRole("button", { name: checkoutCopy.askByHand }).click();
    await expect(toast(page, "银行系统维护中")).toBeVisible();
  });
});

const specified =
  /^(POST \/(code\/captcha|users\/login|pay\/(order\/qrcode|result)|file\/upload(Custom)?|voice\/(role\/)?(create|del)|voice\/try\/create|dubbing\/(create|del))|GET \/(users\/(logout|info)|pay\/product|voice\/(role\/)?list|voice\/try\/result|dubbing\/list|role\/common\/(list|home)|(files|uploads)\/.*))$/;
