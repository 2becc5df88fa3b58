import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo, LookupFunction } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver from "s3rver";
import { Agent } from "undici";
import type { S3Settings } from "~server/settings/storage";
import { isSigned } from "./signature-v4";

export interface Bucket {
  place: S3Settings;
  /** The port, for callers without the dispatcher. */
  numbered: S3Settings;
  /** The folder that contains its objects. */
  directory: string;
  /** Resolves the server under the bucket's own host name too. */
  dispatcher: Agent;
  close(): Promise<void>;
}

const secret = "S3RVER";
const refusal = "<Error><Code>SignatureDoesNotMatch</Code></Error>";
/** Resolves every name to this machine. */
const here: LookupFunction = (_name, _options, done) => done(null, [{ address: "127.0.0.1", family: 4 }]);

/** A local S3 server with one bucket that checks every signature. */
export async function openBucket(): Promise<Bucket> {
  const directory = await mkdtemp(join(tmpdir(), "bucket-"));
  const bucket = "sounds";
  const s3 = new S3rver({
    silent: true,
    directory,
    serviceEndpoint: "localhost",
    configureBuckets: [{ name: bucket, configs: [] }],
  });
  await s3.configureBuckets();
  const handle = s3.callback();
  const server = createServer((request, response) => {
    if (isSigned(request, secret)) return handle(request, response);
    request.resume();
    response.writeHead(403, { "content-type": "application/xml" }).end(refusal);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const dispatcher = new Agent({ connect: { lookup: here } });
  const keys = { accessKeyId: "S3RVER", secretAccessKey: secret };
  const place: S3Settings = {
    endpoint: `http://s3.localhost:${port}`,
    region: "us-east-1",
    bucket,
    ...keys,
    style: "path",
    prefix: "",
    linkSeconds: null,
  };
  return {
    place,
    numbered: { ...place, endpoint: `http://127.0.0.1:${port}` },
    directory: join(directory, bucket),
    dispatcher,
    async close() {
      await dispatcher.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(directory, { recursive: true, force: true });
    },
  };
}
