import { type Context, Hono } from "hono";
import { z } from "zod/v4";
import { AppError } from "../errors";
import type { ConsoleDoor } from "../operations/console-door";
import { addressOf, tokenOf } from "./auth";
import { answer } from "./envelope";

const text = z.string().max(2000).default("");
const loginShape = z.object({ phone: text, code: text });
const codeShape = z.object({ code: text });
const actShape = z.object({ input: z.record(z.string(), text), reason: text, code: text });
const mimes: Record<string, string> = { wav: "audio/wav", mp3: "audio/mpeg", ogg: "audio/ogg", webm: "audio/webm" };

async function readBody<T extends z.ZodType>(c: Context, shape: T): Promise<z.output<T>> {
  const read = shape.safeParse(await c.req.json().catch(() => null));
  if (!read.success) throw new AppError("bad-request", "unreadable body", { status: 400 });
  return read.data;
}

/** The operators' console: calls of our own pages alone, so they are no part of the contract. */
export function createConsoleRoutes(door: ConsoleDoor): Hono {
  const app = new Hono();
  app.post("/console/login", async (c) => {
    const request = await readBody(c, loginShape);
    return answer(c, { token: await door.logIn({ ...request, address: addressOf(c) }) });
  });
  app.post("/console/code", async (c) => {
    const { code } = await readBody(c, codeShape);
    return answer(c, { recoveryCodes: await door.verify(tokenOf(c), code) });
  });
  app.post("/console/logout", async (c) => {
    await door.logOut(tokenOf(c));
    return answer(c, {});
  });
  app.get("/console/me", async (c) => answer(c, await door.me(tokenOf(c))));
  app.get("/console/operations/:name", async (c) =>
    answer(c, await door.read(tokenOf(c), c.req.param("name"), c.req.query())),
  );
  app.post("/console/operations/:name", async (c) =>
    answer(c, await door.act(tokenOf(c), c.req.param("name"), await readBody(c, actShape))),
  );
  app.get("/console/proofs/:proof/:which", async (c) => {
    const which = c.req.param("which") === "spoken" ? "spoken" : "reference";
    const { bytes, format } = await door.sound(tokenOf(c), c.req.param("proof"), which);
    return c.body(Buffer.from(bytes), 200, { "content-type": mimes[format] ?? "application/octet-stream" });
  });
  return app;
}
