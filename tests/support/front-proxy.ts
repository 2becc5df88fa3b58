import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { certify, createPair } from "./payment-servers/keys";
import { freePort } from "./postgres";

/** A reverse proxy before a deployment. */
export interface FrontProxy {
  url: string;
  close(): Promise<void>;
}

const nginx = ["/usr/sbin/nginx", "/usr/bin/nginx", "/usr/local/bin/nginx"].find((path) => existsSync(path));
const startMs = 30_000;

/**
 * nginx with a file of its conf.d folder: `addressOf` maps the addresses of its upstream servers, and its ports and
 * certificate are replaced. Returns null where nginx is not installed.
 */
export async function openNginx(path: string, addressOf: (address: string) => string): Promise<FrontProxy | null> {
  if (!nginx) return null;
  const folder = mkdtempSync(join(tmpdir(), "nginx-"));
  const [httpsPort, httpPort] = [await freePort(), await freePort()];
  const [from, to] = [new Date(Date.now() - 86_400_000), new Date(Date.now() + 86_400_000)];
  const { certificate, privatePem } = await certify(createPair(), { serial: "01", from, to });
  writeFileSync(join(folder, "certificate.pem"), certificate);
  writeFileSync(join(folder, "key.pem"), privatePem);
  const site = readFileSync(path, "utf8")
    .replace(/listen 443 /, `listen 127.0.0.1:${httpsPort} `)
    .replace(/listen 80;/, `listen 127.0.0.1:${httpPort};`)
    .replace(/(ssl_certificate) .*;/, `$1 ${folder}/certificate.pem;`)
    .replace(/(ssl_certificate_key) .*;/, `$1 ${folder}/key.pem;`)
    .replace(/server ([\d.]+:\d+)/g, (_all, address: string) => `server ${addressOf(address)}`);
  const folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${folder};`);
  const top = `daemon off; master_process off; pid ${folder}/pid; error_log stderr crit; events {}`;
  writeFileSync(join(folder, "nginx.conf"), `${top}\nhttp { access_log off; ${folders.join(" ")}\n${site}}`);
  const child = spawn(nginx, ["-p", folder, "-e", "stderr", "-c", join(folder, "nginx.conf")], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  return { url: `https://127.0.0.1:${httpsPort}`, close: await startProxy(child, httpsPort, folder) };
}

const accepts = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(true)).on("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });

/** No port of its own beside the site's, nothing written to the system, and an answer without a server name. */
const caddyTestOptions = [
  ...["admin off", "skip_install_trust"],
  ...["auto_https disable_redirects", "default_sni voice.example.com"],
];
const caddy = ["/usr/bin/caddy", "/usr/local/bin/caddy"].find((path) => existsSync(path));

/** Caddy with a Caddyfile, as `openNginx`; its certificate is its own. Returns null where Caddy is not installed. */
export async function openCaddy(path: string, addressOf: (address: string) => string): Promise<FrontProxy | null> {
  if (!caddy) return null;
  const folder = mkdtempSync(join(tmpdir(), "caddy-"));
  const port = await freePort();
  const site = readFileSync(path, "utf8")
    .replace(/^voice\.example\.com \{/m, `https://voice.example.com:${port} {\n\ttls internal\n`)
    .replace(/\b127\.0\.0\.1:\d+/g, (address) => addressOf(address));
  writeFileSync(join(folder, "Caddyfile"), `{\n${caddyTestOptions.join("\n")}\n}\n${site}`);
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const args = ["run", "--config", join(folder, "Caddyfile"), "--adapter", "caddyfile"];
  const close = await startProxy(spawn(caddy, args, { env, stdio: ["ignore", "ignore", "pipe"] }), port, folder);
  return { url: `https://127.0.0.1:${port}`, close };
}

/** Waits until the program listens, and returns how to end it with its folder. */
async function startProxy(child: ChildProcess, port: number, folder: string): Promise<() => Promise<void>> {
  let complaints = "";
  child.stderr?.on("data", (chunk) => {
    complaints += chunk;
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const deadline = Date.now() + startMs;
  while (!(await accepts(port))) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`the proxy did not start:\n${complaints}`);
    await sleep(50);
  }
  return async () => {
    child.kill();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
}

/** A proxy that leads paths to servers by their longest prefix and appends the visitor to X-Forwarded-For. */
export async function openForwardProxy(routes: Array<{ path: string; url: string }>): Promise<FrontProxy> {
  const longestFirst = [...routes].sort((a, b) => b.path.length - a.path.length);
  const server = createServer((incoming, outgoing) => {
    const { method, url = "/", headers, socket } = incoming;
    const route = longestFirst.find(({ path }) => url.startsWith(path));
    const hops = [headers["x-forwarded-for"] ?? [], socket.remoteAddress ?? ""].flat();
    const forwarded = { ...headers, "x-forwarded-for": hops.join(", "), "x-forwarded-proto": "https" };
    const onward = requestHttp(new URL(url, route?.url), { method, headers: forwarded, agent: false }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on("error", () => outgoing.writeHead(502).end());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export interface VisitorRequest {
  /** The visitor's own address: any of 127.0.0.0/8. */
  from: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** A request of a visitor to a proxy whose certificate nobody signed. */
export async function requestFrom(
  url: string,
  { from, method = "GET", headers = {}, body }: VisitorRequest,
): Promise<{ status: number; headers: IncomingHttpHeaders; body: string }> {
  const options = { method, headers, localAddress: from, agent: false, rejectUnauthorized: false };
  return new Promise((resolve, reject) => {
    const request = url.startsWith("https:") ? requestHttps : requestHttp;
    const asking = request(url, options, (answer) => {
      const { statusCode = 0, headers } = answer;
      text(answer).then((body) => resolve({ status: statusCode, headers, body }), reject);
    });
    asking.on("error", reject);
    asking.end(body);
  });
}
