import { afterEach, describe, expect, test } from "vitest";
import { paths } from "../../app/paths";
import { blockedAddresses, createEncodings } from "../../tests/support/address-encodings";
import { listen } from "../../tests/support/payment-servers/listen";
import { closeWebApps, startWebApp } from "../../tests/support/web-app";

afterEach(closeWebApps);

const png = Buffer.from("89504e470d0a1a0a0000000d", "hex");
const isFile = (target: string) => target === "/api/v1/files/own.png";

/** An upstream that answers every path: files with a picture, all else with JSON. */
async function openSite(role: "all" | "web") {
  const asked: string[] = [];
  if (role === "all") {
    const api = (request: Request) => {
      const { pathname, search } = new URL(request.url);
      asked.push(`${pathname}${search}`);
      return isFile(pathname) ? new Response(png) : Response.json({ secret: true });
    };
    return { asked, site: await startWebApp({ api }), close: async () => {} };
  }
  const foreign = await listen(({ target }) => {
    asked.push(target);
    return { status: 200, body: isFile(target) ? png : '{"secret":true}' };
  });
  const config = { role, apiBaseUrl: foreign.origin, filePaths: ["/uploads/"] };
  return { asked, site: await startWebApp({ config }), close: foreign.close };
}

describe.each(["all", "web"] as const)("the file proxy with ROLE=%s", (role) => {
  test("returns a file and never requests an encoding of another address", async () => {
    const { asked, site, close } = await openSite(role);
    const answerOf = (address: string) => fetch(`${site.url}${paths.media(address)}`);
    expect(Buffer.from(await (await answerOf("/api/v1/files/own.png")).arrayBuffer()).equals(png)).toBe(true);
    for (const [place, address] of blockedAddresses.entries()) {
      // All encodings of one address, every 20th of the others; file-address.test.ts covers all of them in the parser.
      const encodings = createEncodings(address, "/api/v1/files/own.png").filter(
        (_, index) => place === 0 || index % 20 === place,
      );
      const refused = encodings.map(async (spelling) => {
        const answer = await answerOf(spelling);
        expect([answer.status !== 200, await answer.text()], spelling).toEqual([true, ""]);
      });
      await Promise.all(refused);
    }
    expect(asked).toEqual(["/api/v1/files/own.png"]);
    await close();
  });

  test("returns JSON only for a timeline", async () => {
    const { site, close } = await openSite(role);
    for (const path of ["/api/v1/files/a", "/api/v1/files/a.png", "/api/v1/files/a.mp3", "/uploads/a.mp3"])
      expect((await fetch(`${site.url}${paths.media(path)}`)).status, path).not.toBe(200);
    const timeline = await fetch(`${site.url}${paths.media("/api/v1/files/a.json")}`);
    expect(timeline.headers.get("content-type")).toBe("application/json");
    await close();
  });
});
