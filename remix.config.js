/**
 * The one place of the Remix options: vite.config.ts hands this object to the Remix plugin,
 * so development, build, `remix routes` and the tests read the same values.
 *
 * @type {import("@remix-run/dev").VitePluginConfig}
 */
export default {
  appDirectory: "app",
  buildDirectory: "build",
  serverModuleFormat: "esm",
  ignoredRouteFiles: ["**/.*", "**/*.test.{ts,tsx}"],
  // Slides are dubs with pictures: their page belongs to the dubbing page's folder.
  routes: (defineRoutes) =>
    defineRoutes((route) => route("main/slides", "routes/main.dubbing/slides/route.tsx", { id: "main.slides" })),
  future: {
    v3_fetcherPersist: true,
    v3_lazyRouteDiscovery: true,
    v3_relativeSplatPath: true,
    v3_singleFetch: true,
    v3_throwAbortReason: true,
  },
};
