import type { Browser } from "playwright";
import sharp from "sharp";
import { light } from "~/ui/palette";

/** Heights of one sentence's strokes, as on the home page. */
const stress = [1, 2, 5, 8, 6, 3, 1, 3, 7, 10, 8, 4, 2, 1, 1, 4, 6, 9, 7, 5, 2, 1, 2, 6, 8, 5, 3, 1, 1, 2, 4, 3, 1];

function strokes(): string {
  const one = (height: number, i: number) => {
    const [x, up, down, width] = [6 + i * 12, height * 4.6, height * 5.2, 2.4 + height * 0.16];
    return `M${x + 1} ${56 - up}Q${x + width} ${56 - up * 0.2} ${x - 1} ${56 + down}Q${x - width} 56 ${x + 1} ${56 - up}z`;
  };
  return stress.map(one).join("");
}

/**
 * The image of shared links: slogan, a sentence in brush strokes, and the seal. Without the product name, which
 * operators set.
 */
export async function drawShareImage(browser: Browser, file: string) {
  const page = await browser.newPage({ viewport: { width: 1200, height: 630 } });
  await page.setContent(`<body style="margin:0;width:1200px;height:630px;background:${light.paper};color:${light.ink};
    font-family:'Songti SC','Noto Serif CJK SC',serif;display:grid;align-content:center;padding-left:96px;box-sizing:border-box">
    <h1 style="margin:0;font-size:88px;line-height:1.3;font-weight:700">念一句话<br>就有你的声音</h1>
    <p style="margin:24px 0 40px;font:400 30px 'Noto Sans CJK SC',sans-serif;color:${light.muted}">录音、上传，或选一个示例声音 · 马上听到 · 带 AI 标识</p>
    <svg width="1000" viewBox="0 0 440 112"><path d="${strokes()}" fill="${light.ink}"/>
      <rect x="404" y="38" width="34" height="34" rx="7" fill="${light.seal}"/>
      <path d="M411 53.500v3m5-7v11m5-15v19m5-14v9m5-5v1.500" stroke="#fff" stroke-width="2.400" stroke-linecap="round"/></svg>`);
  const picture = await page.screenshot();
  await sharp(picture).png({ palette: true, compressionLevel: 9 }).toFile(file);
  await page.close();
}
