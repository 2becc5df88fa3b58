/** `npm start`: installs and builds what is missing, then serves. Works on a bare clone with Node and npm alone. */
import { prepare, root } from "./prepare.mjs";

const help = `npm start [-- --prepare-only]

Installs packages and builds where that is needed, then serves http://localhost:3000 until Ctrl+C.
--prepare-only: installs and builds, starts nothing. Settings are environment variables, for example PORT=8080 npm start.
The main ones; .env.example lists all:

  PORT=3000        where it listens
  APP_MODE=demo    production: refuses weak settings, takes real payments, needs https and a PostgreSQL
  SITE_URL         https://… as people see it
  DATA_DIR=./data  database, recordings and results, unless DATABASE_URL and S3_… name other places
  ROLE=all         web, api or worker: one part of it alone; see docs/operations.md

Other commands:

  npm run ops -- --help     operate an installation: doctor, migrate, grant, refund, orders …
  npm run voices -- --help  install natural voices
  npm run dev               serve with hot reload
  npm test                  all tests; npm run check: the quick half`;

const args = process.argv.slice(2);
const unknown = args.find((arg) => !["--prepare-only", "--help", "-h"].includes(arg));
if (unknown !== undefined) {
  console.error(`npm start has no "${unknown}".\nSee: npm start -- --help`);
  process.exit(2);
}
if (args.includes("--help") || args.includes("-h")) {
  console.log(help);
  process.exit(0);
}

prepare();
if (!args.includes("--prepare-only")) {
  process.chdir(root);
  process.env.NODE_ENV = "production";
  await import("../build/server/index.js");
}
