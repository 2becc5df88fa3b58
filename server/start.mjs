/** `npm start`: installs and builds what is missing, then serves. Works on a bare clone with Node and npm alone. */
import { prepare, root } from "./prepare.mjs";

prepare();
if (!process.argv.includes("--prepare-only")) {
  process.chdir(root);
  process.env.NODE_ENV = "production";
  await import("../build/server/index.js");
}
