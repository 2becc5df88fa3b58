/** A minimal proxy between the browser and the api: `node bare-proxy.mjs <api>` prints its port. */
import { createServer } from "node:http";
import { Agent, request } from "undici";

const api = process.argv[2];
const dispatcher = new Agent({ keepAliveTimeout: 30_000 });

const server = createServer(async ({ url, headers: { host, connection, ...headers } }, outgoing) => {
  const answer = await request(api + url, { headers, dispatcher });
  outgoing.writeHead(answer.statusCode, answer.headers);
  outgoing.end(Buffer.from(await answer.body.arrayBuffer()));
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
