/**
 * Loaded into a measured server with `NODE_OPTIONS=--import`. Answers every request on PROBE_PORT with the event-loop
 * delay since the last one, in milliseconds. It runs in the server's own thread and costs nothing between requests.
 */
import { createServer } from "node:http";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";

/** The histogram counts the time between two ticks, so that an idle loop shows this. */
const resolutionMs = 2;

if (isMainThread && process.env.PROBE_PORT) {
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  delay.enable();
  const server = createServer((_request, response) => {
    const p99 = Math.max(0, delay.percentile(99) / 1e6 - resolutionMs);
    delay.reset();
    response.end(JSON.stringify({ p99 }));
  });
  server.listen(Number(process.env.PROBE_PORT), "127.0.0.1").unref();
}
