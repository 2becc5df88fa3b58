/**
 * Who may import whom: this table is the architecture, and `npm run check` holds the code to it.
 *   values  places it may import freely        types  places it may import with `import type` only
 * A `*` makes every subfolder an island: routes don't import routes, features don't import features.
 * A folder may always import itself. Cycles are errors even when they are only types. A file that fits no row fails.
 */
const errors = "server/upstream/errors.ts";
/** Small values of the upstream that every domain may import. */
const shared = [
  errors,
  "server/upstream/owner.ts",
  "server/upstream/new-file.ts",
  "server/upstream/sealing.ts",
  "server/upstream/signing.ts",
  "server/upstream/task-status.ts",
  "server/upstream/sql-fragments.ts",
  "server/upstream/stable-json.ts",
];
const contract = "server/contract/";
const portrait = "server/portrait/";
const calendar = "server/upstream/calendar.ts";
const domainTypes = [
  "server/upstream/db/",
  "server/upstream/media/",
  "server/upstream/jobs/",
  "server/speech/engine.ts",
  "server/speech/index.ts",
];

const may = {
  // what people see
  "app/paths.ts": {},
  // the browser's one way to our server
  "app/call.ts": { values: ["app/paths.ts", "app/ui/"], types: ["server/bff/", contract] },
  "app/copy/": { values: [contract] },
  "app/ui/": {},
  "app/features/*/": {
    types: ["server/bff/"],
    values: ["app/ui/", "app/copy/", "app/paths.ts", "app/state/", "app/call.ts", contract, portrait],
  },
  "app/routes/*/": {
    values: [
      "server/bff/",
      "app/features/",
      "app/ui/",
      "app/copy/",
      "app/paths.ts",
      "app/state/",
      "app/call.ts",
      contract,
      portrait,
    ],
  },
  // the frame around every page, built from features
  "app/frame/": {
    values: ["app/features/", "app/ui/", "app/copy/", "app/paths.ts", "app/state/"],
  },
  // what pages, features and the frame share in the browser: capabilities, requests for dialogs, analytics events
  "app/state/": { values: ["app/ui/", "app/call.ts"], types: ["server/bff/", contract] },
  "app/root.tsx": { values: ["server/bff/", "app/frame/", "app/features/", "app/ui/", "app/copy/", "app/paths.ts"] },
  "app/entry.client.tsx": { values: ["app/ui/"] },
  "app/entry.server.tsx": { values: ["app/ui/"] },
  "server/contract/": {},
  // the one renderer of drawn and moving faces: in the browser and in films
  "server/portrait/": { values: [contract] },
  // a library of its own that knows nothing of the upstream, its database or HTTP
  "server/speech/": { values: [contract, "server/program.ts"] },
  // child programs and threads, located beside the build or among the sources
  "server/program.ts": {},
  // the web side of the server
  "server/settings/": {},
  "server/web-stream.ts": {},
  "server/config.ts": { values: ["server/settings/"] },
  // public answers that all callers share for a second, and the count of their changes
  "server/public-reads.ts": {},
  // refuses private addresses when connecting
  "server/public-address.ts": {},
  "server/bff/": {
    values: [contract, "server/web-stream.ts", "server/public-reads.ts", "server/public-address.ts"],
  },
  "server/embedded-upstream.ts": { types: ["server/public-reads.ts"] },
  "server/web/": {
    values: ["server/bff/", "server/config.ts", "server/web-stream.ts", "server/public-reads.ts", contract],
    types: ["server/embedded-upstream.ts"],
  },
  "server/main.ts": {
    values: [
      "server/config.ts",
      "server/settings/installed.ts",
      "server/settings/private-files.ts",
      "server/contract/limits.ts",
    ],
    types: ["server/embedded-upstream.ts"],
  },
  // the embedded upstream: machines know nothing of voices, trials or money
  "server/upstream/errors.ts": { values: [contract] },
  // small values for every domain: owners, ids, task states, pieces of SQL
  "server/upstream/owner.ts": {},
  "server/upstream/new-file.ts": {},
  "server/upstream/sealing.ts": {},
  "server/upstream/signing.ts": {},
  "server/upstream/sql-fragments.ts": {},
  "server/upstream/stable-json.ts": {},
  "server/upstream/task-status.ts": {
    values: [errors, "server/upstream/owner.ts", contract],
    types: ["server/upstream/db/"],
  },
  // the product's calendar, Asia/Shanghai
  "server/upstream/calendar.ts": {},
  "server/upstream/db/": {
    values: [errors, "server/program.ts", "server/settings/private-files.ts"],
    types: ["server/contract/checkout.ts"],
  },
  "server/upstream/jobs/": { values: [errors], types: ["server/upstream/db/"] },
  // draws and encodes films in separate processes
  "server/upstream/film/": {
    values: [
      errors,
      portrait,
      "server/contract/audible-mark.ts",
      "server/program.ts",
      "server/upstream/media/",
      "server/speech/recording/",
    ],
    types: ["server/speech/engine.ts"],
  },
  "server/upstream/media/": {
    values: [errors, "server/upstream/new-file.ts", "server/contract/file-address.ts", "server/contract/limits.ts"],
    types: ["server/upstream/db/", "server/settings/storage.ts"],
  },
  // domains: the rules, SQL and jobs of one noun; neighbours arrive as arguments and meet as types
  "server/upstream/voices/": { values: [...shared, contract, portrait], types: domainTypes },
  "server/upstream/square/": { values: [...shared, contract], types: [...domainTypes, "server/upstream/voices/"] },
  // clones, dubs, trials and films: one way to create, cancel, retry, remove and report progress
  "server/upstream/generations/": {
    values: [...shared, contract],
    types: [...domainTypes, "server/upstream/voices/", "server/upstream/film/film.ts"],
  },
  // events of finished work for the servers of accounts
  "server/upstream/webhooks/": {
    values: [...shared, contract, calendar, "server/upstream/sealing.ts", "server/public-address.ts"],
    types: domainTypes,
  },
  // projects of accounts, the same on all devices
  "server/upstream/projects/": { values: [...shared, contract, calendar], types: domainTypes },
  // public pages of results
  "server/upstream/shares/": { values: [...shared, contract], types: domainTypes },
  "server/upstream/scripts/": { values: [...shared, contract], types: [...domainTypes, "server/upstream/voices/"] },
  "server/upstream/verify/": { values: [...shared, contract], types: [...domainTypes, "server/upstream/voices/"] },
  "server/upstream/sms/": { values: [errors], types: ["server/settings/sms.ts"] },
  // text messages to payers
  "server/upstream/messages/": {
    values: [...shared, contract, calendar, "server/upstream/accounts/credentials.ts", "server/upstream/sms/sender.ts"],
    types: domainTypes,
  },
  "server/upstream/accounts/": {
    values: [...shared, contract, calendar],
    types: [...domainTypes, "server/upstream/voices/", "server/upstream/sms/sender.ts"],
  },
  "server/upstream/payments/": {
    values: [errors, calendar],
    types: [contract, "server/upstream/db/", "server/upstream/jobs/", "server/settings/payments.ts"],
  },
  "server/upstream/billing/": {
    values: [...shared, contract, calendar, "server/upstream/payments/gateway.ts"],
    types: ["server/upstream/db/", "server/upstream/jobs/"],
  },
  // what operators run: the table of operations, its doors (command line, console) and the doctor; see docs/decisions/0105-operations-in-one-table.md
  "server/upstream/operations/": {
    values: [
      "server/config.ts",
      "server/program.ts",
      "server/settings/installed.ts",
      "server/settings/private-files.ts",
      contract,
      "server/upstream/",
      "server/speech/",
    ],
    types: ["server/public-reads.ts"],
  },
  "server/upstream/operations/commands/": {
    values: [
      errors,
      contract,
      calendar,
      "server/upstream/operations/",
      "server/upstream/billing/",
      "server/upstream/accounts/",
      "server/upstream/square/",
      "server/upstream/sql-fragments.ts",
    ],
    types: ["server/upstream/db/", "server/upstream/voices/takedowns.ts", "server/upstream/voices/proofs/reviews.ts"],
  },
  // edge and composition
  "server/upstream/api/": {
    values: [...shared, contract, "server/web-stream.ts", "server/public-reads.ts"],
    types: [
      "server/upstream/voices/",
      "server/upstream/square/",
      "server/upstream/generations/",
      "server/upstream/scripts/",
      "server/upstream/shares/",
      "server/upstream/verify/",
      "server/upstream/accounts/",
      "server/upstream/messages/",
      "server/upstream/webhooks/",
      "server/upstream/projects/",
      "server/upstream/billing/",
      "server/upstream/payments/",
      "server/upstream/media/",
      "server/upstream/operations/console-door.ts",
    ],
  },
  // the composition root: builds every part and chooses every adapter
  "server/upstream/compose/": {
    values: [
      contract,
      portrait,
      "server/upstream/",
      "server/speech/",
      "server/program.ts",
      "server/public-reads.ts",
      "server/settings/installed.ts",
    ],
    types: [
      "server/config.ts",
      "server/embedded-upstream.ts",
      "server/settings/speech.ts",
      "server/settings/speech-engines.ts",
    ],
  },
};

const quote = (text) => text.replace(/[.$+?()[\]{}|\\^]/g, "\\$&");
// Only the part before a route parameter is captured ("v." of "v.$token"): a "$" has a meaning in patterns.
const from = (key) => `^${quote(key).replace("*/", "([^/$]*)[^/]*/")}`;
const self = (key) => `^${quote(key).replace("*/", "$1[/$]")}`;
const production = "^(app|server)/";
const test = "\\.test\\.tsx?$";

const rules = Object.entries(may).flatMap(([key, { values = [], types = [] }]) => [
  {
    name: key,
    severity: "error",
    from: { path: from(key), pathNot: test },
    to: { path: production, pathNot: [self(key), ...[...values, ...types].map(from)] },
  },
  ...(types.length > 0
    ? [
        {
          name: `${key} types only`,
          severity: "error",
          from: { path: from(key), pathNot: test },
          to: { path: types.map(from), pathNot: [self(key), ...values.map(from)], dependencyTypesNot: ["type-only"] },
        },
      ]
    : []),
]);

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    ...rules,
    {
      name: "every file has a place",
      severity: "error",
      from: {
        path: production,
        pathNot: [test, "^server/(start|prepare)\\.mjs$", "^app/[^/]+\\.css$", ...Object.keys(may).map(from)],
      },
      to: {},
    },
    { name: "no cycles", severity: "error", from: {}, to: { circular: true } },
    {
      name: "tests stay out of production",
      severity: "error",
      from: { path: production, pathNot: test },
      to: { path: ["^tests/", test] },
    },
    {
      name: "contract needs only zod, and a transform to judge recordings",
      severity: "error",
      from: { path: "^server/contract/", pathNot: test },
      to: { path: "node_modules", pathNot: "node_modules/(zod|fft\\.js)/" },
    },
    {
      name: "schemas stay on the server",
      severity: "error",
      from: { path: "^app/" },
      to: { path: "^server/contract/calls/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "bff files end in .server",
      severity: "error",
      from: { path: "^server/bff/", pathNot: ["\\.server\\.tsx?$", test] },
      to: {},
    },
    {
      name: ".server only from a route module",
      severity: "error",
      from: {
        path: "^app/",
        pathNot: ["\\.server\\.tsx?$", "/route\\.tsx?$", "^app/(root|entry\\.server)\\.tsx$", test],
      },
      to: { path: "\\.server\\.tsx?$", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "adapters are chosen in upstream/compose",
      severity: "error",
      from: {
        path: production,
        pathNot: [
          "^server/upstream/compose/",
          "^server/speech/index\\.ts$",
          "^server/(speech/engines|upstream/payments/gateways|upstream/sms/senders)/",
          test,
        ],
      },
      to: {
        path: "^server/(speech/engines|upstream/payments/gateways|upstream/sms/senders)/",
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      // Films are made in processes that load codecs alone; a model is installed and measured by a command.
      name: "speech has two public files",
      severity: "error",
      from: {
        path: production,
        pathNot: [
          "^server/speech/",
          "^server/upstream/(film|operations)/",
          "^server/upstream/compose/natural-voices\\.ts$",
          test,
        ],
      },
      to: { path: "^server/speech/", pathNot: "^server/speech/(engine|index)\\.ts$" },
    },
    {
      name: "GPL code runs as a separate program",
      severity: "error",
      from: { path: production, pathNot: "^server/speech/engines/embedded/espeak\\.ts$" },
      to: { path: "node_modules/@echogarden/" },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^build/" },
  },
};
