import type { Page } from "playwright/test";
import { humanCardCopy, playerCopy } from "~/copy/site";
import { paths } from "~/paths";
import { expect, test } from "./fixtures";

const bar = (page: Page) => page.getByRole("region", { name: playerCopy.region });
const slider = (page: Page) => bar(page).getByRole("slider", { name: playerCopy.position });
const pause = (page: Page) => bar(page).getByRole("button", { name: playerCopy.pause });
const play = (page: Page) => bar(page).getByRole("button", { name: playerCopy.play, exact: true });
const position = async (page: Page) => Number(await slider(page).inputValue());

/** Opens the square and waits for a playable preview. */
async function openSquare(page: Page) {
  const listen = page.getByRole("button", { name: new RegExp(`^${humanCardCopy.listen("")}`) }).first();
  await expect(async () => {
    await page.goto(paths.square, { waitUntil: "networkidle" });
    await expect(listen).toBeEnabled({ timeout: 500 });
  }).toPass({ timeout: 60_000 });
  return listen;
}

test("the waveform loads on the first play, has the specified look and obeys the keyboard", async ({ page }) => {
  const listen = await openSquare(page);
  const scripts: string[] = [];
  page.on("request", (request) => request.resourceType() === "script" && scripts.push(request.url()));
  await expect(bar(page)).toHaveCount(0);
  expect(scripts).toEqual([]);
  await listen.click();
  await pause(page).waitFor();
  expect(scripts.length).toBeGreaterThan(0);
  const heights = await bar(page).evaluate((element) =>
    [...element.querySelectorAll("*")]
      .flatMap((one) => [...(one.shadowRoot?.querySelectorAll(".canvases") ?? [])])
      .map((canvases) => canvases.getBoundingClientRect().height),
  );
  expect(heights).toContain(50);

  await slider(page).focus();
  await page.keyboard.press("Space");
  await expect(play(page)).toBeVisible();
  await page.keyboard.press("Home");
  await expect.poll(() => position(page)).toBe(0);
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => position(page)).toBeCloseTo(5, 0);
  await page.keyboard.press("ArrowLeft");
  await expect.poll(() => position(page)).toBeCloseTo(0, 0);
  await expect(slider(page)).toHaveAttribute("aria-valuetext", /^00:00/);
});

test("playback returns to the start at its end, and the chosen rate stays", async ({ page }) => {
  await (await openSquare(page)).click();
  await pause(page).waitFor();
  await bar(page).getByLabel(playerCopy.speed).selectOption("2");
  await slider(page).focus();
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowLeft");
  await expect(play(page)).toBeVisible();
  await expect.poll(() => position(page)).toBe(0);
  await expect(bar(page).getByLabel(playerCopy.speed)).toHaveValue("2");
});

test.describe("a sound that cannot be loaded", () => {
  test.use({ allowedErrors: [/404|Failed to load/] });

  test("is reported once and shows no player bar", async ({ page }) => {
    const listen = await openSquare(page);
    await page.route("**/bff/media**", (route) => route.fulfill({ status: 404, body: "" }));
    await listen.click();
    await expect(page.getByText(playerCopy.failed)).toHaveCount(1);
    await expect(bar(page)).toBeHidden();
  });
});
