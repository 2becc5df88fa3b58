/** The smallest page of the same stack: `node bare-page.mjs <folder of the build>` prints its port. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { serve } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import { createRequestHandler } from "@remix-run/node";
import { Hono } from "hono";

const dir = process.argv[2];
const handle = createRequestHandler(await import(pathToFileURL(join(dir, "build/server/index.js")).href));
const app = new Hono();
app.get("/favicon.ico", (c) => c.body(null, 204));
app.use("/assets/*", serveStatic({ root: join(dir, "build/client") }));
app.all("*", (c) => handle(c.req.raw));
serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => console.log(port));
