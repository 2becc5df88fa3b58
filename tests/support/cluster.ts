import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { type Balancer, openBalancer } from "./balancer";
import { openBucket } from "./bucket";
import { findPostgres, freePort, startPostgres } from "./postgres";
import { type Product, startProduct } from "./product";

type Env = Record<string, string>;

/** Processes of the build that share one PostgreSQL and one bucket, behind load balancers. */
export interface Cluster {
  webs: ClusterProcess[];
  apis: ClusterProcess[];
  /** Balancers in front of the webs and the apis. */
  site: Balancer;
  api: Balancer;
  startWorker(): Promise<Product>;
  /** Runs `npm run ops -- …` on the same database. */
  ops(...args: string[]): Promise<string>;
  close(): Promise<void>;
}

export interface ClusterProcess {
  url: string;
  output(): string;
  /** Restarts a server with SIGTERM on its port; continues when the balancer uses it again. */
  restart(balancer: Balancer): Promise<void>;
}

const secret = "one-secret-for-all-the-servers-of-a-test";
/** Longer than the balancer's check interval. */
const drainSeconds = 1;

/** Returns null and prints the reason without PostgreSQL. */
export async function startCluster({ webs = 2, apis = 2 } = {}): Promise<Cluster | null> {
  const bin = findPostgres();
  if (!bin) {
    console.log("Skipped: no PostgreSQL under /usr/lib/postgresql (apt-get install postgresql).");
    return null;
  }
  const postgres = await startPostgres(bin);
  const bucket = await openBucket();
  const { endpoint, accessKeyId, secretAccessKey } = bucket.numbered;
  const behind: Env = {
    DATABASE_URL: postgres.url,
    DATA_KEY: secret,
    S3_ENDPOINT: endpoint,
    S3_BUCKET: bucket.numbered.bucket,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  };
  const front = { TRUSTED_PROXIES: "127.0.0.1 ::1", DRAIN_SECONDS: String(drainSeconds) };
  const stops: Array<() => Promise<unknown>> = [];
  const member = async (env: Env): Promise<ClusterProcess> => {
    const own = { ...env, LOG_LEVEL: "info", PORT: String(await freePort()) };
    let product = await startProduct(own);
    stops.push(() => product.stop());
    return {
      url: product.url,
      output: () => product.output(),
      async restart(balancer) {
        await product.stop();
        product = await startProduct(own);
        await balancer.takesIn(product.url);
      },
    };
  };
  const several = (count: number, env: Env) => Promise.all(Array.from({ length: count }, () => member(env)));

  const apiMembers = await several(apis, { ...behind, ...front, ROLE: "api" });
  const api = await openBalancer(apiMembers.map(({ url }) => url));
  const toApi = { ROLE: "web", API_BASE_URL: api.url, SESSION_SECRET: secret };
  const webMembers = await several(webs, { ...front, ...toApi });
  const site = await openBalancer(webMembers.map(({ url }) => url));
  return {
    webs: webMembers,
    apis: apiMembers,
    site,
    api,
    async startWorker() {
      const worker = await startProduct({ ...behind, ROLE: "worker" });
      stops.push(() => worker.stop("SIGKILL"));
      return worker;
    },
    async ops(...args) {
      const env = { ...behind, PATH: process.env.PATH ?? "", NODE_ENV: "production" as const };
      const { stdout } = await promisify(execFile)(process.execPath, ["build/server/ops.js", ...args], { env });
      return stdout;
    },
    async close() {
      await site.close();
      await api.close();
      await Promise.all(stops.map((stop) => stop()));
      await bucket.close();
      await postgres.stop();
    },
  };
}
