import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { getRequestListener } from "@hono/node-server";
import { vitePlugin as remix } from "@remix-run/dev";
import { defineConfig, type Plugin, type ViteDevServer } from "vite";
import remixConfig from "./remix.config.js";
import { patchedRemix } from "./vite.patches";

const hasPages = existsSync("./app/root.tsx");
const entries = {
  index: "./server/main.ts",
  ops: "./server/upstream/operations/main.ts",
  "voices-main": "./server/upstream/operations/voices-main.ts",
  "database-thread": "./server/upstream/db/database-thread.ts",
  "speech-child": "./server/speech/engines/embedded/speech-child.ts",
  "speech-thread": "./server/speech/threads/speech-thread.ts",
  espeak: "./server/speech/engines/embedded/espeak.ts",
  "kokoro-child": "./server/speech/engines/kokoro/kokoro-child.ts",
  "sherpa-child": "./server/speech/engines/sherpa/sherpa-child.ts",
  "film-child": "./server/upstream/film/film-child.ts",
  "wasm-child": "./server/upstream/film/encoders/wasm-child.ts",
  "conversion-child": "./server/speech/recording/conversion-child.ts",
};
const serverNames = { entryFileNames: "[name].js", chunkFileNames: "chunks/[name]-[hash].js" };
const input = Object.fromEntries(Object.entries(entries).filter(([, path]) => existsSync(path)));

/** Builds server/main.ts and the programs beside it; in development each request goes through the same host. Before remix(). */
function server(): Plugin {
  return {
    name: "server",
    config: {
      order: "post",
      handler: (_config, { isSsrBuild }) =>
        isSsrBuild ? { build: { outDir: "build/server", rollupOptions: { input, output: serverNames } } } : {},
    },
    configureServer: (vite) => () => {
      const handle = developmentHandler(vite);
      vite.middlewares.use(async (req, res, next) => {
        try {
          req.url = req.originalUrl;
          await getRequestListener(await handle())(req, res);
        } catch (error) {
          if (error instanceof Error) vite.ssrFixStacktrace(error);
          next(error);
        }
      });
    },
  };
}

/** The browser's files once more as .br and .gz, for the host to hand out as they are. */
function precompressed(): Plugin {
  return {
    name: "precompressed",
    apply: (_config, { isSsrBuild }) => !isSsrBuild,
    writeBundle({ dir = "build/client" }) {
      for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
        const path = join(entry.parentPath, entry.name);
        if (!entry.isFile() || !/\.(js|css|svg|json|txt)$/.test(path)) continue;
        const bytes = readFileSync(path);
        if (bytes.length < 1024) continue;
        writeFileSync(`${path}.br`, brotliCompressSync(bytes));
        writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
      }
    },
  };
}

const require = createRequire(import.meta.url);

/** Copies files of packages into a folder of the built server's or the browser's files. */
function copied(side: "server" | "client", folder: string, files: () => string[]): Plugin {
  return {
    name: `copied-${folder}`,
    apply: (_config, { command, isSsrBuild }) => command === "build" && Boolean(isSsrBuild) === (side === "server"),
    writeBundle({ dir = `build/${side}` }) {
      mkdirSync(join(dir, folder), { recursive: true });
      for (const file of files()) copyFileSync(file, join(dir, folder, basename(file)));
    },
  };
}

/** The font that films and cards are written with: one weight, 4.7 MB of the package's 76. */
function fontFiles(): string[] {
  const ranges = require.resolve("@fontsource/noto-sans-sc/unicode.json");
  const slices = join(dirname(ranges), "files");
  const wanted = readdirSync(slices).filter((name) => name.endsWith("-700-normal.woff"));
  return [ranges, ...wanted.map((name) => join(slices, name))];
}

/** Two of the library's twelve models: they find a face, and 468 points of it. */
const facePackage = "node_modules/@vladmandic/human";
const faceFiles = ["blazeface", "facemesh"].flatMap((name) =>
  ["json", "bin"].map((end) => `${facePackage}/models/${name}.${end}`),
);
const faceFolder = `assets/face-${JSON.parse(readFileSync(`${facePackage}/package.json`, "utf8")).version}`;

/** What pdf.js reads beside its code: character maps, decoders, colour profiles, and fonts that files do not bring along. */
const pdfPackage = "node_modules/pdfjs-dist";
const pdfParts = ["cmaps", "wasm", "iccs", "standard_fonts"].map((part) => `${pdfPackage}/${part}`);
const pdfFiles = () => pdfParts.flatMap((part) => readdirSync(part).map((name) => join(part, name)));
const pdfFolder = `assets/pdf-${JSON.parse(readFileSync(`${pdfPackage}/package.json`, "utf8")).version}`;

type Main = typeof import("./server/main");

/** Pages and BFF reload with Vite; the upstream (database, queue, engine) is opened again only when its own code changes. */
function developmentHandler(vite: ViteDevServer) {
  let upstream: { module: unknown; value: Awaited<ReturnType<Main["openUpstream"]>> } | undefined;
  let host: { modules: unknown[]; value: Awaited<ReturnType<Main["openWebApp"]>> } | undefined;
  let turn: Promise<unknown> = Promise.resolve();

  async function current() {
    const { openUpstream, openWebApp } = (await vite.ssrLoadModule("/server/main.ts")) as Main;
    const { readConfig } = (await vite.ssrLoadModule("/server/config.ts")) as typeof import("./server/config");
    const services = await vite.ssrLoadModule("/server/upstream/compose/services.ts");
    const modules = [services, await vite.ssrLoadModule("/server/web/app.ts")];
    if (upstream?.module !== services) {
      await upstream?.value?.close();
      upstream = { module: services, value: await openUpstream(readConfig(process.env)) };
    }
    if (modules.some((module, at) => host?.modules[at] !== module))
      host = { modules, value: await openWebApp(readConfig(process.env), upstream.value) };
    return (host as NonNullable<typeof host>).value.fetch;
  }

  return () => {
    const next = turn.then(current, current);
    turn = next.catch(() => {});
    return next;
  };
}

/** Without `app` the upstream still builds; the site's part then has no pages to serve. */
function withoutPages(): Plugin {
  const id = "virtual:remix/server-build";
  return {
    name: "without-pages",
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    load: (resolved) => (resolved === `\0${id}` ? "export {}" : undefined),
  };
}

export default defineConfig(({ command, isSsrBuild }) => ({
  plugins: [
    patchedRemix(),
    precompressed(),
    copied("server", "fonts", fontFiles),
    copied("client", faceFolder, () => faceFiles),
    copied("client", pdfFolder, pdfFiles),
    server(),
    hasPages ? remix(remixConfig) : withoutPages(),
  ],
  define: {
    "import.meta.env.FACE_MODELS": JSON.stringify(command === "build" ? `/${faceFolder}/` : `/${facePackage}/models/`),
    // In development without them: only some files need them.
    "import.meta.env.PDF_FILES": JSON.stringify(`/${pdfFolder}/`),
  },
  resolve: { alias: { "~server": "/server", "~": "/app" } },
  css: { postcss: "./postcss.config.js" },
  // esbuild 0.28 no longer lowers to Vite 6's default targets when it pre-bundles for development
  optimizeDeps: { entries: ["app/**/*.{ts,tsx}"], esbuildOptions: { target: "es2022" } },
  server: { host: "127.0.0.1", port: Number(process.env.PORT ?? 3000), strictPort: true },
  build: {
    target: isSsrBuild ? "node20" : "es2022",
    reportCompressedSize: false,
    rollupOptions: {
      output: isSsrBuild ? {} : { experimentalMinChunkSize: 400 },
      onwarn(warning, warn) {
        // Routes that only answer data have nothing for the browser.
        if (warning.code !== "EMPTY_BUNDLE") warn(warning);
      },
    },
  },
}));
