import { readdirSync, readFileSync } from "node:fs";
import { parse, parseAllDocuments } from "yaml";

type Env = Record<string, string>;
interface Process {
  name: string;
  env: Env;
  command: string[];
}
interface Container {
  name: string;
  command: string[];
  env?: Array<{ name: string; value?: string }>;
  envFrom?: Array<{ [kind in "configMapRef" | "secretRef"]?: { name: string } }>;
}
interface Manifest {
  kind: string;
  metadata: { name: string };
  data?: Env;
  stringData?: Env;
  spec?: { template?: { spec: { containers: Container[] } }; rules?: IngressRule[] };
}
interface IngressRule {
  http: { paths: Array<{ path: string; backend: { service: { name: string } } }> };
}
interface ComposeService {
  command?: string[];
  env_file?: string;
  environment?: Env;
  image: string;
  ports?: string[];
  volumes?: string[];
}
type Compose = Record<"services", Record<string, ComposeService>>;

const folder = "docs/kubernetes";
export const manifests = readdirSync(folder).flatMap((name) =>
  parseAllDocuments(readFileSync(`${folder}/${name}`, "utf8")).map((document) => document.toJS() as Manifest),
);
export const composeFile = parse(readFileSync("compose.yaml", "utf8"), { merge: true }) as Compose;
export const envFile = (path: string): Env =>
  Object.fromEntries(
    [...readFileSync(path, "utf8").matchAll(/^([A-Z0-9_]+)=(.*)$/gm)].map(([, name = "", value = ""]) => [name, value]),
  );

/** The settings that operators fill in. */
export const secrets: Env = {
  SITE_URL: "https://voice.example.com",
  SESSION_SECRET: "9f1c4be7a2d05836c8e17f3ab64d920b",
  DATA_KEY: "5d80b3f62e9a714c0fb8d246a97e13c5",
  DATABASE_URL: "postgres://product:secret@postgres/product",
  S3_ACCESS_KEY_ID: "product",
  S3_SECRET_ACCESS_KEY: "secret",
  SMS_ACCESS_KEY_ID: "id",
  SMS_ACCESS_KEY_SECRET: "secret",
  SMS_SIGN_NAME: "声像",
  SMS_TEMPLATE_CODE: "SMS_1",
};

export const ofCompose = (filledIn = secrets): Process[] => {
  const shared = { ...envFile("docs/compose/deploy.env.example"), ...filledIn };
  return Object.entries(composeFile.services)
    .filter(([, { image }]) => image === "shengxiang")
    .map(([name, { environment = {}, command = ["node", "server/start.mjs"] }]) => ({
      name: `compose ${name}`,
      env: { ...shared, ...environment },
      command,
    }));
};

/** The first address of this machine at which compose.yaml publishes each service; a range is of its replicas. */
export const publishedAddresses = (): Map<string, string> =>
  new Map(
    Object.entries(composeFile.services).flatMap(([name, { ports = [] }]) =>
      ports.map((port) => [port.replace(/(-\d+)?:\d+$/, ""), name] as const),
    ),
  );

/** Which service the ingress leads a path to. */
export const ingressRoutes = (): Array<{ path: string; service: string }> =>
  manifests
    .flatMap(({ spec }) => spec?.rules ?? [])
    .flatMap(({ http }) => http.paths.map(({ path, backend }) => ({ path, service: backend.service.name })));

export const ofKubernetes = (filledIn = secrets): Process[] => {
  const filled = (given: Env) =>
    Object.fromEntries(Object.entries(given).map(([name, value]) => [name, filledIn[name] ?? value]));
  const givenBy = (kind: string, wanted: string): Env => {
    const source = manifests.find(({ metadata, kind: its }) => its === kind && metadata.name === wanted);
    if (!source) throw new Error(`there is no ${kind} ${wanted}`);
    return filled({ ...source.data, ...source.stringData });
  };
  return manifests
    .flatMap(({ spec }) => spec?.template?.spec.containers ?? [])
    .map(({ name, command, env = [], envFrom = [] }) => ({
      name: `kubernetes ${name}`,
      env: Object.assign(
        {},
        ...envFrom.map(({ configMapRef, secretRef }) =>
          configMapRef ? givenBy("ConfigMap", configMapRef.name) : givenBy("Secret", secretRef?.name ?? ""),
        ),
        ...env.map((entry) => ({ [entry.name]: entry.value ?? "" })),
      ),
      command,
    }));
};
