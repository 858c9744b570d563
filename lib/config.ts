import { join, resolve } from 'node:path';
import * as z from 'zod';
import { isLoopbackHost, isLoopbackUrl } from './api-contract/loopback.ts';
import { isPathHere, NO_PATH_HERE, pastedBaseUrl, pastedKey } from './api-contract/pasted.ts';
import { setLogLevel } from './log.ts';
import { countFor } from './telemetry/metrics.ts';

/**
 * Every setting of the service, read once from the environment. Nothing else in lib and functions touches `process.env`
 * but lib/isolation/start-process.ts, which hands on four variables of the system. docs/reference/configuration.md's table is the
 * same list (test/infra/configuration.test.ts).
 */
export const environmentSchema = z.object({
  PORT: wholeNumber(0, 65535).default(3000),
  HOST: z.string().default('127.0.0.1'),
  DATA_DIR: path().default('.data'),
  DATA_DIR_SHARED: choice(['true', 'false']).default('false'),
  UPGRADE_WITHOUT_BACKUP: choice(['true', 'false']).default('false'),
  PUBLIC_URL: httpUrl().optional(),
  DOCS_URL: httpUrl().optional(),
  STAGE: z.string().default('local'),
  LOG_LEVEL: choice(['debug', 'info', 'warn', 'error']).default('info'),
  CORS_ORIGINS: commaList().pipe(z.array(origin())).default([]),
  CONSOLE: choice(['on', 'off']).default('on'),
  WATCH: choice(['auto', 'off']).default('auto'),
  WORKSPACE_ROOTS: commaList().pipe(z.array(path())).optional(),
  AUTH_MODE: choice(['token', 'oidc', 'disabled']).optional(),
  OIDC_ISSUER: httpUrl()
    .refine(
      (url) => !url.includes('/.well-known/'),
      'must be the issuer that its document names, without /.well-known/',
    )
    .optional(),
  OIDC_AUDIENCE: z.string().optional(),
  OIDC_ROLE_CLAIM: z.string().default('role'),
  OIDC_GROUPS_CLAIM: z.string().default('groups'),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_SCOPE: z
    .string()
    .refine((scope) => scope.split(' ').includes('openid'), 'must include openid')
    .default('openid'),
  OIDC_ORIGINS: commaList().pipe(z.array(httpUrl())).default([]),
  LLM_PROVIDER: choice(['a', 'b', 'c']).optional(),
  LLM_MODEL: z.string().optional(),
  LLM_MAX_OUTPUT_TOKENS: wholeNumber(256, 1_000_000).optional(),
  LLM_CONTEXT_TOKENS: wholeNumber(512, 100_000_000).optional(),
  VISION_MODELS: commaList().default([]),
  OWN_MODEL_PATIENCE_MINUTES: wholeNumber(1, 120).default(10),
  CONVERSATION_TITLES: choice(['on', 'off']).default('on'),
  CITATION_JUDGE: choice(['on', 'off']).default('off'),
  REPORT_TIMEZONE: z.string().refine(isTimezone, 'must be a time zone such as Europe/Berlin').default('UTC'),
  RIPGREP_PATH: path().optional(),
  AGENT_MAX_STEPS: wholeNumber(1, 200).default(50),
  PROVIDER_A_API_KEY: key().optional(),
  PROVIDER_A_BASE_URL: baseUrl().optional(),
  PROVIDER_B_API_KEY: key().optional(),
  PROVIDER_B_BASE_URL: baseUrl().optional(),
  PROVIDER_C_API_KEY: key().optional(),
  PROVIDER_C_BASE_URL: baseUrl().optional(),
  EMBEDDING_API_KEY: key().optional(),
  EMBEDDING_BASE_URL: baseUrl().optional(),
  EMBEDDING_MODEL: z.string().optional(),
  RERANK_API_KEY: key().optional(),
  RERANK_BASE_URL: baseUrl().optional(),
  RERANK_MODEL: z.string().optional(),
  ENTAILMENT_API_KEY: key().optional(),
  ENTAILMENT_BASE_URL: baseUrl().optional(),
  ENTAILMENT_MODEL: z.string().optional(),
  LOCAL_EMBEDDER_URL: httpUrl().optional(),
  LOCAL_EMBEDDER_KEY: z.string().optional(),
  LOCAL_EMBEDDER_MODEL: z.string().optional(),
  LOCAL_RERANKER_MODEL: z.string().optional(),
  LOCAL_ENTAILMENT_MODEL: z.string().optional(),
  RECOGNITION: choice(['on', 'off']).default('on'),
  RECOGNITION_DIR: path().optional(),
  HUB_A_TOKEN: key().optional(),
  HUB_A_BASE_URL: baseUrl().optional(),
  HUB_B_TOKEN: key().optional(),
  HUB_B_BASE_URL: baseUrl().optional(),
  CODE_HOST: z
    .string()
    .regex(/^[\w.-]+(:\d{1,5})?$/, 'must be a host name such as git.example.org, optionally with a port')
    .default('github.com'),
  CODE_HOST_TOKEN: key().optional(),
  CODE_HOST_ALLOW_PRIVATE: choice(['true', 'false']).default('false'),
  KUBECONFIG_PATH: path().optional(),
  K8S_SUBMITTER: z.string().optional(),
  K8S_IMAGE_PULL_SECRET: z.string().optional(),
  K8S_IMAGE: z.string().optional(),
  K8S_PROTECTED_NAMESPACES: commaList().default(['kube-system', 'kube-public', 'kube-node-lease']),
  ARXIV_BASE_URL: baseUrl().optional(),
  SEMANTIC_SCHOLAR_BASE_URL: baseUrl().optional(),
  SEMANTIC_SCHOLAR_API_KEY: key().optional(),
  PAPER_HOSTS: hostList().default([]),
  OPENALEX_BASE_URL: baseUrl().optional(),
  OPENALEX_API_KEY: key().optional(),
  IMA_BOT_ENABLED: choice(['true', 'false']).default('false'),
  IMA_CONNECTION: choice(['webhook', 'websocket']).default('webhook'),
  IMA_BASE_URL: baseUrl().optional(),
  IMA_APP_ID: z.string().trim().optional(),
  IMA_APP_SECRET: key().optional(),
  IMA_VERIFICATION_TOKEN: key().optional(),
  IMA_ENCRYPT_KEY: z.string().trim().optional(),
  IMA_PUSH_SECRET: key().optional(),
  IMB_BOT_ENABLED: choice(['true', 'false']).default('false'),
  IMB_BASE_URL: baseUrl().optional(),
  IMB_CORP_ID: z.string().trim().optional(),
  IMB_CORP_SECRET: key().optional(),
  IMB_TOKEN: key().optional(),
  IMB_ENCODING_AES_KEY: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9]{43}$/, 'must be the 43 characters that WeCom shows')
    .optional(),
  IMB_AGENT_ID: z.string().trim().regex(/^\d+$/, 'must be a whole number, such as 1000002').optional(),
  PATH: z.string().default('/usr/local/bin:/usr/bin:/bin'),
  HTTP_PROXY: proxyUrl().optional(),
  HTTPS_PROXY: proxyUrl().optional(),
  NO_PROXY: z.string().optional(),
  TABLE_NAME: z.string().optional(),
  BUCKET_NAME: z.string().optional(),
  SECRETS_PREFIX: z.string().optional(),
  FILE_SYSTEM_ID: z.string().optional(),
  VECTORS_URL: z
    .string()
    .regex(/^s3:\/\/[a-z0-9][a-z0-9.-]+(\/[\w.-]+)*$/, 'must be s3://BUCKET/FOLDER without a trailing slash')
    .optional(),
  ATTACHMENTS_QUOTA_MB: wholeNumber(1, 1_000_000).default(2000),
  VECTORS_CACHE_MB: wholeNumber(16, 8192).default(256),
  AWS_LAMBDA_FUNCTION_NAME: z.string().optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl().optional(),
  OTEL_EXPORTER_OTLP_HEADERS: z.string().optional(),
  OTEL_SERVICE_NAME: z.string().default('workspace-research'),
  OTEL_TRACES_SAMPLER_ARG: share().default(1),
  COMMAND_NETWORK: choice(['none', 'host']).default('none'),
  ALLOW_UNSANDBOXED_COMMANDS: choice(['true', 'false']).default('false'),
  COMMANDS_FUNCTION_NAME: z.string().optional(),
});

type Environment = z.infer<typeof environmentSchema>;
/** How the service reaches a provider of models. */
export interface ProviderSettings {
  apiKey?: string | undefined;
  /** Undefined for the provider's own. */
  baseUrl?: string | undefined;
  /** The rest is of connections in the settings: the embedding model that it offers, null for none; undefined for its default. */
  embeddingModel?: string | null | undefined;
  guard?: ServerGuard | undefined;
}

/** How a model server is asked that the settings name, not the operator. */
export interface ServerGuard {
  policy: ServerPolicy;
  proxy: { http: string | undefined; https: string | undefined; no: string | undefined };
}
/** Which addresses it may have: on a single host also its loopback. */
export type ServerPolicy = 'host' | 'cloud';

export type Config = ReturnType<typeof readConfig>;
type AuthMode = 'token' | 'oidc' | 'disabled';

interface AwsConfig {
  tableName: string;
  bucketName: string;
  /** Precedes the name of every secret of this deployment. */
  secretsPrefix: string;
  fileSystemId?: string;
  /** Keyed by the names of lib/ports/queue.ts. */
  queueUrls: Record<string, string>;
}

/** Throws one Error that names every variable that is missing or wrong. Empty variables count as unset. */
export function readConfig(environment: Record<string, string | undefined> = process.env) {
  const env = parseEnvironment(environment);
  const deployed = env.AWS_LAMBDA_FUNCTION_NAME !== undefined;
  if (deployed) {
    // A function has no other start: what it prints begins here.
    setLogLevel(env.LOG_LEVEL);
    countFor(env.STAGE);
  }
  const dataDir = resolve(env.DATA_DIR);
  return {
    port: env.PORT,
    host: env.HOST,
    dataDir,
    /** Another service of this machine may work on the same data folder. */
    sharesData: env.DATA_DIR_SHARED === 'true',
    upgradesWithoutBackup: env.UPGRADE_WITHOUT_BACKUP === 'true',
    publicUrl: readPublicUrl(env),
    /** Where links to the documentation lead; undefined: to the pages that the service itself has. */
    docsUrl: env.DOCS_URL,
    stage: env.STAGE,
    logLevel: env.LOG_LEVEL,
    corsOrigins: env.CORS_ORIGINS,
    ...readHost(env),
    deployed,
    /** The service's own downloads: next to the workspaces, so that no command and no write reaches them. */
    datasetsDir: join(dataDir, 'datasets'),
    workspaceRoots: (env.WORKSPACE_ROOTS ?? [`${dataDir}/workspaces`]).map((root) => resolve(root)),
    auth: readAuth(env),
    reportTimezone: env.REPORT_TIMEZONE,
    ripgrepPath: env.RIPGREP_PATH,
    agent: { maxSteps: env.AGENT_MAX_STEPS },
    /** Conversations get a title by the model. */
    makesTitles: env.CONVERSATION_TITLES === 'on',
    judgesCitations: env.CITATION_JUDGE === 'on',
    attachmentQuotaBytes: env.ATTACHMENTS_QUOTA_MB * 1024 * 1024,
    ...readModels(env),
    ...readSources(env),
    recognition: readRecognition(env, dataDir),
    vectors: readVectors(env),
    traces: readTraces(env),
    cluster: readCluster(env),
    bots: readBots(env),
    /** Where programs are looked for. */
    searchPath: env.PATH,
    proxy: { http: env.HTTP_PROXY, https: env.HTTPS_PROXY, no: env.NO_PROXY },
    aws: readAws(env, environment),
    commands: readCommands(env),
  };
}

/** Of one host. */
function readHost(env: Environment) {
  return {
    /** Whether it serves the console at `/`. */
    console: env.CONSOLE === 'on',
    /** Whether it watches the folders of workspaces. */
    watches: env.WATCH === 'auto',
  };
}

/** The time of a function ends, however long the server takes. */
const FUNCTION_PATIENCE_MS = 50_000;

function readPatience(env: Environment): number {
  const asked = env.OWN_MODEL_PATIENCE_MINUTES * 60_000;
  return env.AWS_LAMBDA_FUNCTION_NAME === undefined ? asked : Math.min(asked, FUNCTION_PATIENCE_MS);
}

function readModels(env: Environment) {
  return {
    provider: {
      ...{ id: env.LLM_PROVIDER, model: env.LLM_MODEL, sighted: env.VISION_MODELS },
      maxOutputTokens: env.LLM_MAX_OUTPUT_TOKENS,
      contextTokens: env.LLM_CONTEXT_TOKENS,
    },
    ownModelPatienceMs: readPatience(env),
    providers: {
      openai: { apiKey: env.PROVIDER_A_API_KEY, baseUrl: env.PROVIDER_A_BASE_URL },
      anthropic: { apiKey: env.PROVIDER_B_API_KEY, baseUrl: env.PROVIDER_B_BASE_URL },
      gemini: { apiKey: env.PROVIDER_C_API_KEY, baseUrl: env.PROVIDER_C_BASE_URL },
    } as Record<(typeof PROVIDERS)[ProviderLetter], ProviderSettings>,
    embedding: readEmbedding(env),
    rerank: { apiKey: env.RERANK_API_KEY, baseUrl: env.RERANK_BASE_URL, model: env.RERANK_MODEL },
    entailment: {
      apiKey: env.ENTAILMENT_API_KEY,
      baseUrl: env.ENTAILMENT_BASE_URL,
      model: env.ENTAILMENT_MODEL,
    },
    localEmbedder: localModel(env, env.LOCAL_EMBEDDER_MODEL),
    localReranker: localModel(env, env.LOCAL_RERANKER_MODEL),
    localEntailment: localModel(env, env.LOCAL_ENTAILMENT_MODEL),
  };
}

/** `EMBEDDING_MODEL=none` turns semantic search off, whatever could embed. */
function readEmbedding(env: Environment) {
  const { EMBEDDING_API_KEY: apiKey, EMBEDDING_BASE_URL: baseUrl, EMBEDDING_MODEL: named } = env;
  const isOff = named?.toLowerCase() === 'none';
  return { apiKey, baseUrl, model: isOff ? undefined : named, isOff };
}

/** A model of the process that `npm start` runs next to the service, if it's installed. */
function localModel(env: Environment, model: string | undefined) {
  const { LOCAL_EMBEDDER_URL: baseUrl, LOCAL_EMBEDDER_KEY: apiKey } = env;
  return baseUrl === undefined || model === undefined ? undefined : { baseUrl, apiKey, model };
}

/** The folder of the OCR engine: `recognition` in the data folder, or RECOGNITION_DIR, which the AWS deployment needs. */
function readRecognition(env: Environment, dataDir: string) {
  const ownFolder = env.TABLE_NAME === undefined ? join(dataDir, 'recognition') : undefined;
  const folder = env.RECOGNITION_DIR === undefined ? ownFolder : resolve(env.RECOGNITION_DIR);
  return { folder, isOn: env.RECOGNITION === 'on' };
}

/** Indexes are in a bucket if a URL is set, otherwise in the data folder. */
function readVectors({ VECTORS_URL, VECTORS_CACHE_MB }: Environment) {
  const [bucket = '', ...folders] = VECTORS_URL?.slice('s3://'.length).split('/') ?? [];
  return {
    bucket: bucket === '' ? undefined : { bucket, prefix: folders.join('/') },
    /** The cache of indexes in one process. */
    cacheBytes: VECTORS_CACHE_MB * 1024 * 1024,
  };
}

/** Reads OpenTelemetry's own variables. Nothing is traced without a collector. */
function readTraces(env: Environment) {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers = '' } = env;
  if (endpoint === undefined) return undefined;
  const pairs = headers.split(',').filter((pair) => pair.includes('='));
  const split = (pair: string) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)];
  const entries = pairs.map((pair) => split(pair).map((part) => decodeURIComponent(part.trim())));
  return {
    endpoint,
    headers: Object.fromEntries(entries) as Record<string, string>,
    serviceName: env.OTEL_SERVICE_NAME,
    ratio: env.OTEL_TRACES_SAMPLER_ARG,
  };
}

/** Where datasets, papers and code come from. */
function readSources(env: Environment) {
  return {
    hubs: {
      huggingFace: { token: env.HUB_A_TOKEN, baseUrl: env.HUB_A_BASE_URL },
      modelScope: { token: env.HUB_B_TOKEN, baseUrl: env.HUB_B_BASE_URL },
    },
    papers: {
      /** Added to those that lib/papers/hosts.ts knows. */
      hosts: env.PAPER_HOSTS,
      arxiv: { baseUrl: env.ARXIV_BASE_URL },
      semanticScholar: { baseUrl: env.SEMANTIC_SCHOLAR_BASE_URL, apiKey: env.SEMANTIC_SCHOLAR_API_KEY },
      openAlex: { baseUrl: env.OPENALEX_BASE_URL, apiKey: env.OPENALEX_API_KEY },
    },
    codeHost: {
      host: env.CODE_HOST,
      token: env.CODE_HOST_TOKEN,
      allowPrivate: env.CODE_HOST_ALLOW_PRIVATE === 'true',
    },
  };
}

function readCluster(env: Environment) {
  return {
    kubeconfigPath: env.KUBECONFIG_PATH,
    /** The label on each job in the cluster that says whose it is. */
    submitter: env.K8S_SUBMITTER,
    imagePullSecret: env.K8S_IMAGE_PULL_SECRET,
    /** Default image of jobs. */
    image: env.K8S_IMAGE,
    protectedNamespaces: env.K8S_PROTECTED_NAMESPACES,
  };
}

function readBots(env: Environment) {
  return {
    feishu: {
      enabled: env.IMA_BOT_ENABLED === 'true',
      connection: env.IMA_CONNECTION,
      baseUrl: env.IMA_BASE_URL,
      appId: env.IMA_APP_ID,
      appSecret: env.IMA_APP_SECRET,
      verificationToken: env.IMA_VERIFICATION_TOKEN,
      encryptKey: env.IMA_ENCRYPT_KEY,
      pushSecret: env.IMA_PUSH_SECRET,
    },
    wecom: {
      enabled: env.IMB_BOT_ENABLED === 'true',
      baseUrl: env.IMB_BASE_URL,
      corpId: env.IMB_CORP_ID,
      corpSecret: env.IMB_CORP_SECRET,
      token: env.IMB_TOKEN,
      encodingAesKey: env.IMB_ENCODING_AES_KEY,
      agentId: env.IMB_AGENT_ID,
    },
  };
}

/** Commands without a sandbox can read and write what the service can: they need an explicit setting. */
function readCommands(env: Environment) {
  return {
    network: env.COMMAND_NETWORK,
    allowUnsandboxed: env.ALLOW_UNSANDBOXED_COMMANDS === 'true',
    /** The function that runs them, where they run in one. */
    functionName: env.COMMANDS_FUNCTION_NAME,
  };
}

/** The AWS side of the ports: chosen by TABLE_NAME, and then whole. Absent on one machine. */
function readAws(env: Environment, environment: Record<string, string | undefined>): AwsConfig | undefined {
  const { TABLE_NAME, BUCKET_NAME, SECRETS_PREFIX } = env;
  if (TABLE_NAME === undefined) return undefined;
  if (BUCKET_NAME === undefined || SECRETS_PREFIX === undefined)
    throw new Error('TABLE_NAME needs BUCKET_NAME and SECRETS_PREFIX. Set both.');
  return {
    tableName: TABLE_NAME,
    bucketName: BUCKET_NAME,
    secretsPrefix: SECRETS_PREFIX,
    fileSystemId: env.FILE_SYSTEM_ID,
    queueUrls: readQueueUrls(environment),
  };
}

/** Precedes the name of a queue, in the variable with its URL. */
export const QUEUE_URL_PREFIX = 'QUEUE_URL_';

/** QUEUE_URL_INDEX and its kin, by the name of the queue: `index`. */
function readQueueUrls(environment: Record<string, string | undefined>): Record<string, string> {
  const prefix = QUEUE_URL_PREFIX;
  const variables = Object.entries(environment).filter(([name, url]) => name.startsWith(prefix) && url);
  return Object.fromEntries(
    variables.map(([name, url]) => [name.slice(prefix.length).toLowerCase().replaceAll('_', '-'), url ?? '']),
  );
}

/** Without a slash at its end. The console asks for paths below the root of its host; a stage of API Gateway is a path. */
function readPublicUrl({ PUBLIC_URL: url, AWS_LAMBDA_FUNCTION_NAME: name }: Environment): string | undefined {
  const bare = url?.replace(/\/+$/, '');
  if (bare === undefined || name !== undefined || new URL(bare).href === `${new URL(bare).origin}/`)
    return bare;
  throw new Error(
    'PUBLIC_URL must be a scheme and a host such as https://research.example.org, without a path, query, or user: the service needs a host name of its own.',
  );
}

/**
 * `disabled` is the default only where every address is loopback, and refused anywhere else, so that no one opens the service
 * by accident: a proxy on this host that serves PUBLIC_URL, or a page of CORS_ORIGINS, would make its users administrators.
 */
function readAuth(env: Environment) {
  const outside = [
    ...(isLoopbackHost(env.HOST) && env.AWS_LAMBDA_FUNCTION_NAME === undefined ? [] : ['HOST']),
    ...(env.PUBLIC_URL === undefined || isLoopbackUrl(env.PUBLIC_URL) ? [] : ['PUBLIC_URL']),
    ...(env.CORS_ORIGINS.every(isLoopbackUrl) ? [] : ['CORS_ORIGINS']),
  ];
  const mode: AuthMode = env.AUTH_MODE ?? (outside.length > 0 ? 'token' : 'disabled');
  if (mode === 'disabled' && outside.length > 0) {
    throw new Error(
      `AUTH_MODE=disabled is only allowed with a loopback ${outside[0]}, because everyone who reaches the service is an administrator. Set AUTH_MODE to token or oidc.`,
    );
  }
  if (mode === 'oidc' && !(env.OIDC_ISSUER && env.OIDC_AUDIENCE)) {
    throw new Error('AUTH_MODE=oidc needs OIDC_ISSUER and OIDC_AUDIENCE. Set both.');
  }
  const { OIDC_ISSUER: issuer, OIDC_AUDIENCE: audience } = env;
  const claims = { roleClaim: env.OIDC_ROLE_CLAIM, groupsClaim: env.OIDC_GROUPS_CLAIM };
  return { mode, issuer, audience, ...claims, login: readLogin(env, mode) };
}

/** How the console's page lets people come in with the issuer; undefined where it asks for a token. */
function readLogin(env: Environment, mode: AuthMode) {
  const { OIDC_ISSUER: issuer, OIDC_AUDIENCE: audience, OIDC_CLIENT_ID: clientId, OIDC_SCOPE: scope } = env;
  if (mode !== 'oidc' || !issuer || !audience || !clientId) return undefined;
  return { issuer, audience, clientId, scope, origins: loginOrigins(issuer, env.OIDC_ORIGINS) };
}

/** The origins that the console's page may ask for a credential: the issuer, and those of its other endpoints. */
export function loginOrigins(issuer: string, others: string[]): string[] {
  return [...new Set([issuer, ...others].map((each) => new URL(each).origin))];
}

/** Most programs take these in small letters, too. Those in capitals win. */
const SMALL = ['http_proxy', 'https_proxy', 'no_proxy'];

function parseEnvironment(environment: Record<string, string | undefined>): Environment {
  const set: Record<string, string> = {};
  const problems: string[] = [];
  for (const [name, value = ''] of [
    ...SMALL.map((name) => [name.toUpperCase(), environment[name]] as const),
    ...Object.entries(environment),
  ]) {
    const text = value.trim();
    if (text !== '') set[name] = text;
    if (name in environmentSchema.shape && /^(["']).*\1$/.test(text))
      problems.push(`${name} has quotes around its value. Remove them.`);
  }
  const parsed = environmentSchema.safeParse(set);
  if (parsed.success && problems.length === 0) return parsed.data;
  const issues = parsed.error?.issues ?? [];
  // The schema's messages are predicates. Of a list each wrong item is an issue: the variable is named once for all of them.
  problems.push(...new Set(issues.map(({ path: [name], message }) => `${String(name)} ${message}.`)));
  throw new Error(['The configuration is invalid.', ...problems].join(problems.length === 1 ? ' ' : '\n'));
}

/** `localhost:8080` alone is a valid URL too: of the scheme `localhost`. */
function httpUrl(example = 'https://example.org') {
  return z.url({ protocol: /^https?$/, error: `must be an http or https URL such as ${example}` });
}

/** The base URL of an API, as people paste it. */
function baseUrl() {
  return z
    .string()
    .overwrite(pastedBaseUrl)
    .check(
      z.url({ protocol: /^https?$/, error: 'must be an http or https URL such as https://example.org' }),
    );
}

/** `proxy.example:3128` is common, and means http. */
function proxyUrl() {
  const error = 'must be an http or https URL such as http://proxy.example:3128';
  return z
    .string()
    .overwrite((text) => (/^[\w.-]+:\d+\/?$/.test(text) ? `http://${text}` : text))
    .check(z.url({ protocol: /^https?$/, error }));
}

function key() {
  return z.string().overwrite(pastedKey);
}

/** Only a shell expands `~`: from a file it would be a folder of that name. */
function path() {
  return z.string().refine(isPathHere, NO_PATH_HERE);
}

/** As browsers send it: a page's scheme, host, and port. A slash at its end is dropped. */
function origin() {
  const error = 'must be origins such as https://app.example.org, without a path; * is not one';
  return z
    .string()
    .refine((text) => /^https?:\/\/[^/?#]+\/?$/i.test(text) && URL.canParse(text), error)
    .transform((url) => new URL(url).origin);
}

/** Digits only: Number() also reads `0x50` and `1e3`. */
function wholeNumber(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d+$/, error)
    .transform(Number)
    .pipe(z.number(error).min(min, error).max(max, error));
}

function share() {
  const error = 'must be a number from 0 to 1';
  return z.coerce.number(error).min(0, error).max(1, error);
}

/** One of a few words; the error lists them. */
function choice<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z.enum(values, {
    error: `must be ${new Intl.ListFormat('en', { type: 'disjunction' }).format(values)}`,
  });
}

/** A name of the IANA list. */
export function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

function commaList() {
  return z.string().transform(commaSeparated);
}

export function commaSeparated(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function hostList() {
  const error = 'must be host names such as papers.example.org, without a scheme or path';
  const host = z.string().regex(/^[\w-]+(\.[\w-]+)+$/, error);
  return commaList().pipe(z.array(host.toLowerCase()));
}

/** Letters of the providers in requests, records, and variables, with their names. */
export const PROVIDERS = { a: 'openai', b: 'anthropic', c: 'gemini' } as const;
type ProviderLetter = keyof typeof PROVIDERS;

/** The provider that answers when a call names none: LLM_PROVIDER, else the first that is configured. */
export function defaultProvider(config: Config): keyof typeof PROVIDERS | undefined {
  const { provider, providers } = config;
  const isReady = (id: keyof typeof PROVIDERS) => isConfigured(providers[PROVIDERS[id]]);
  if (provider.id !== undefined) return isReady(provider.id) ? provider.id : undefined;
  return (['a', 'b', 'c'] as const).find(isReady);
}

/** Why there is no default provider, and which variable to set. */
export function whyNoProvider({ provider: { id } }: Pick<Config, 'provider'>): string {
  if (id === undefined)
    return 'Connect a model in the settings of the console, or set PROVIDER_A_API_KEY (or B, C) or PROVIDER_A_BASE_URL.';
  return `LLM_PROVIDER is ${id}, but ${operatorKeyName(id)} is not set. Set it, or change LLM_PROVIDER.`;
}

/** The variable, and the secret, in which an operator puts a provider's key. */
export function operatorKeyName(provider: ProviderLetter): string {
  return `PROVIDER_${provider.toUpperCase()}_API_KEY`;
}

/**
 * The services that can embed, in order of preference; the one of this host comes after them. Most servers with OpenAI's API have
 * none of its models: they embed only if a model is named, by the settings or by EMBEDDING_MODEL, which is a model of the first.
 */
export function findEmbeddings({ embedding, providers: { openai, gemini } }: Config) {
  const isNamed = embedding.model !== undefined && !isConfigured(embedding);
  const embedsUnnamed = isOpenai(openai) || isNamed;
  const services: { of: 'embedding' | 'openai' | 'gemini'; settings: ProviderSettings }[] = [
    { of: 'embedding', settings: embedding },
    { of: 'openai', settings: { embeddingModel: embedsUnnamed ? undefined : null, ...openai } },
    { of: 'gemini', settings: gemini },
  ];
  if (embedding.isOff) return [];
  return services.filter(({ settings }) => isConfigured(settings) && settings.embeddingModel !== null);
}

function isOpenai({ baseUrl }: ProviderSettings): boolean {
  return baseUrl === undefined || URL.parse(baseUrl)?.hostname === 'api.openai.com';
}

/** A self-hosted model at a base URL may need no key. */
export function isConfigured({ apiKey, baseUrl }: Pick<ProviderSettings, 'apiKey' | 'baseUrl'>): boolean {
  return apiKey !== undefined || baseUrl !== undefined;
}
