/** Worker thread that runs the embedded database in `workerData` and answers protocol messages in their order. */
import { parentPort, workerData } from "node:worker_threads";
import { openPglite } from "./pglite";

const { exchange, close } = await openPglite(workerData as string);

/** Error 53100, disk full, at the write-ahead log. Texts of rows contain no NUL. */
const isLogFull = (bytes: Buffer) => bytes.includes("C53100\0") && bytes.includes('"pg_wal/');

parentPort?.on("message", async (messages: Uint8Array | "close") => {
  if (messages === "close") return close().then(() => parentPort?.close());
  const response = await exchange(messages);
  // The engine would hang at its next query and stay so when there is room again. A start recovers all committed data.
  if (isLogFull(Buffer.from(response.buffer))) throw new Error("The disk is full: no room for the database's log");
  parentPort?.postMessage(response, [response.buffer as ArrayBuffer]);
});
parentPort?.postMessage("open");
