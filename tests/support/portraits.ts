import { readFile } from "node:fs/promises";

/** Photos of people with their lips as measured by hand: left and right corner, middle of the upper and lower edge; in pixels. */
export const portraits = [
  { name: "collins", size: [235, 188], lips: [92, 109.5, 136, 109, 113, 106, 114, 126] },
  { name: "hopper", size: [400, 320], lips: [172, 241, 247, 238, 207, 233, 210, 250] },
  { name: "johnson", size: [200, 160], lips: [91, 96, 118, 91.5, 103, 91, 106, 102] },
  { name: "carson", size: [200, 160], lips: [80, 110.5, 119, 107, 100, 105, 100, 117] },
  { name: "obama", size: [480, 384], lips: [211, 297, 323, 293, 265, 287, 268, 330] },
] as const;

export type Portrait = (typeof portraits)[number];

/** Places evenly spread over the lips, which are taken as two triangles. */
export function lipsOf({ lips }: Portrait): { x: number; y: number }[] {
  const [leftX, leftY, rightX, rightY, topX, topY, bottomX, bottomY] = lips;
  const places: { x: number; y: number }[] = [];
  const heightAt = (x: number, tipX: number, tipY: number) => {
    const [fromX, fromY] = x < tipX ? [leftX, leftY] : [rightX, rightY];
    return fromY + ((tipY - fromY) * (x - fromX)) / (tipX - fromX);
  };
  for (let x = leftX + 0.25; x < rightX; x += 0.5)
    for (let y = heightAt(x, topX, topY); y < heightAt(x, bottomX, bottomY); y += 0.5) places.push({ x, y });
  return places;
}

export const readPortrait = (name: Portrait["name"]) =>
  readFile(new URL(`./fixtures/portraits/${name}.webp`, import.meta.url));

/** What the finder said of two of them: lips that are closed, and a smile. */
export const foundFaces = {
  hopper: {
    mouth: { x: 0.5267, y: 0.7424, width: 0.2055, height: 0.097 },
    eyes: [
      { x: 0.4096, y: 0.471, width: 0.1103, height: 0.0412 },
      { x: 0.6356, y: 0.4579, width: 0.112, height: 0.046 },
    ],
    points:
      "b1vBcOurc-uMeCttf2tWhqtmjktHlYtembt1nMuMnlurcmu6dXureOuyfLuygau6hwvBjFuykVurlSujmDubm0ujddvJeCvJfFvRgUvYhwvYjMvRkbvBleu6mDuycavvdRwdegxTgIxxh2x5jqxplGw8mPv_nGvRVuw8XKzkay33cs5aiP62nx47pl3Js7yfuKvodXpihqqQl9pLXEecXWeMXud2YZdXZpdIaydIcBdXc-d9dXecXoezYNfCZEfKaTfKbdfCcgerdFejVPbdWTaQYBZqagZjeIaYled9l3dfmucxn9cSpNcLqWcSrHcprldAr4dIlxd9mbeFnfeUooecp3eMqud9rTdmkbZ5oDYeqiYPsWYttgZy",
  },
  carson: {
    mouth: { x: 0.4972, y: 0.6939, width: 0.2223, height: 0.1407 },
    eyes: [
      { x: 0.3719, y: 0.4477, width: 0.0986, height: 0.0437 },
      { x: 0.5718, y: 0.4206, width: 0.1019, height: 0.046 },
    ],
    points:
      "ZesCZwrVahq2bqqIdYpifMpihAo8jBpEkcpTlmpamKqBaVsCazrcbqrNcnq-d3q2fZquhAqYiWqIjlp5kppxlZqQbMs4b9tPdAtmeVttf3tthftPi1spj-sCkprVaPtPbSuUchvReJv3f9v3h3vRjfuMkvswlmrcVRyQW_0Can2jcV3Ygo33lB2Tmv0_qXxar_vBbMmUeumjiclXU-dPVRdAVvciWacDXdbkYhbkZeb0aPcSancpVXdfV8dmWmduXqduYtdfZwdIaVc4TEa3UOZTV8YeYUYHbYYthrbsh-bNioagjsaBkvZylyZ5mpaQnHagngavh-b0iob7jscDkvb7l4bkmjbVnHbGgDYHjBWklmWNnmWkpIXo",
  },
};
