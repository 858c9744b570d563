import { join, resolve } from 'node:path';
import * as z from 'zod';
import {
  choice,
  commaList,
  httpUrl,
  isTimezone,
  networkList,
  origin,
  path,
  proxyUrl,
  share,
  wholeNumber,
} from './values.ts';

/** Variables of the environment, with a check and a default. */
export const serviceVariables = {
  PORT: wholeNumber(0, 65535).default(3000),
  HOST: z.string().default('127.0.0.1'),
  DATA_DIR: path().default('.data'),
  DATA_DIR_SHARED: choice(['true', 'false']).default('false'),
  BACKUP_DUE_DAYS: wholeNumber(1, 3650).optional(),
  UPGRADE_WITHOUT_BACKUP: choice(['true', 'false']).default('false'),
  PUBLIC_URL: httpUrl().optional(),
  TRUSTED_PROXIES: networkList().default([]),
  DOCS_URL: httpUrl().optional(),
  STAGE: z.string().default('local'),
  LOG_LEVEL: choice(['debug', 'info', 'warn', 'error']).default('info'),
  CORS_ORIGINS: commaList().pipe(z.array(origin())).default([]),
  CONSOLE: choice(['on', 'off']).default('on'),
  WATCH: choice(['auto', 'off']).default('auto'),
  WORKSPACE_ROOTS: commaList().pipe(z.array(path())).optional(),
  NAMED_ROOTS: commaList().pipe(z.array(path())).default([]),
  CONVERSATION_TITLES: choice(['on', 'off']).default('on'),
  CITATION_JUDGE: choice(['on', 'off']).default('off'),
  REPORT_TIMEZONE: z.string().refine(isTimezone, 'must be a time zone such as Europe/Berlin').default('UTC'),
  RECOGNITION: choice(['on', 'off']).default('on'),
  RECOGNITION_DIR: path().optional(),
  PATH: z.string().default('/usr/local/bin:/usr/bin:/bin'),
  HTTP_PROXY: proxyUrl().optional(),
  HTTPS_PROXY: proxyUrl().optional(),
  NO_PROXY: z.string().optional(),
  ATTACHMENTS_QUOTA_MB: wholeNumber(1, 1_000_000).default(2000),
  AWS_LAMBDA_FUNCTION_NAME: z.string().optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl().optional(),
  OTEL_EXPORTER_OTLP_HEADERS: z.string().optional(),
  OTEL_SERVICE_NAME: z.string().default('workspace-research'),
  OTEL_TRACES_SAMPLER_ARG: share().default(1),
};
export type ServiceEnvironment = z.infer<z.ZodObject<typeof serviceVariables>>;

/** Returns the settings of the service itself: its addresses, its data, and its monitoring. */
export function readService(env: ServiceEnvironment) {
  const dataDir = resolve(env.DATA_DIR);
  return {
    port: env.PORT,
    host: env.HOST,
    dataDir,
    /** True if another service of this host may use the same data folder. */
    sharesData: env.DATA_DIR_SHARED === 'true',
    /**
     * Days after which the latest backup counts as too old; undefined if the service doesn't watch backups.
     */
    backupDueDays: env.BACKUP_DUE_DAYS,
    upgradesWithoutBackup: env.UPGRADE_WITHOUT_BACKUP === 'true',
    publicUrl: readPublicUrl(env),
    /** Reverse proxies whose X-Forwarded-For is trusted. */
    trustedProxies: env.TRUSTED_PROXIES,
    /** The target of links to the documentation; undefined means the service's own pages. */
    docsUrl: env.DOCS_URL,
    stage: env.STAGE,
    logLevel: env.LOG_LEVEL,
    corsOrigins: env.CORS_ORIGINS,
    /** True if the service serves the console at `/`. */
    console: env.CONSOLE === 'on',
    /** True if the service watches the folders of workspaces. */
    watches: env.WATCH === 'auto',
    deployed: env.AWS_LAMBDA_FUNCTION_NAME !== undefined,
    /**
     * The maximum length of a reader's stream in milliseconds, if streams are billed by their length.
     * Undefined if a stream lasts as long as its run.
     */
    readerMs: env.AWS_LAMBDA_FUNCTION_NAME === undefined ? undefined : READER_MS,
    /**
     * The service's own downloads. They are next to the workspaces, so that no command and no write reaches
     * them.
     */
    datasetsDir: join(dataDir, 'datasets'),
    workspaceRoots: (env.WORKSPACE_ROOTS ?? [`${dataDir}/workspaces`]).map((root) => resolve(root)),
    /** The workspace roots that were named in the command that started the service. */
    namedRoots: env.NAMED_ROOTS.map((root) => resolve(root)),
    reportTimezone: env.REPORT_TIMEZONE,
    /** True if the model gives conversations a title. */
    makesTitles: env.CONVERSATION_TITLES === 'on',
    judgesCitations: env.CITATION_JUDGE === 'on',
    attachmentQuotaBytes: env.ATTACHMENTS_QUOTA_MB * 1024 * 1024,
    traces: readTraces(env),
    /** The directories to search for programs. */
    searchPath: env.PATH,
    proxy: { http: env.HTTP_PROXY, https: env.HTTPS_PROXY, no: env.NO_PROXY },
  };
}

/** Ending a stream takes 15 s of the three minutes that it may last. */
const READER_MS = 165_000;

/**
 * Returns the URL without a trailing slash. The console requests paths below the root of its host, but a stage of API
 * Gateway is a path.
 */
function readPublicUrl({
  PUBLIC_URL: url,
  AWS_LAMBDA_FUNCTION_NAME: name,
}: ServiceEnvironment): string | undefined {
  const bare = url?.replace(/\/+$/, '');
  if (bare === undefined || name !== undefined || new URL(bare).href === `${new URL(bare).origin}/`)
    return bare;
  throw new Error(
    'PUBLIC_URL must be a scheme and a host such as https://research.example.org, without a path, query, or user: the service needs a host name of its own.',
  );
}

/** Reads OpenTelemetry's own variables. Without a collector, nothing is traced. */
function readTraces(env: ServiceEnvironment) {
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
