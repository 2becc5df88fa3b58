/** Worker thread that runs the embedded database in `workerData` and answers protocol messages in their order. */
import { parentPort, workerData } from "node:worker_threads";
import { openPglite } from "./pglite";

const { exchange, close } = await openPglite(workerData as string);

parentPort?.on("message", async (messages: Uint8Array | "close") => {
  if (messages === "close") {
    await close();
    parentPort?.close();
    return;
  }
  const response = await exchange(messages);
  parentPort?.postMessage(response, [response.buffer as ArrayBuffer]);
});
parentPort?.postMessage("open");
