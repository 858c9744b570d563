import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as yaml from 'js-yaml';
import { type CloudFormationResource, readServiceFile } from '../local/service-file.ts';

const MEGABYTES = 1024;

/** What a deployed stage consists of, as far as it costs something or has a limit. */
export interface StageResources {
  /** Resources by their type. */
  counts: Record<string, number>;
  /** Metrics that the alarms watch: AWS charges for these, and one alarm may have ten. */
  alarmMetrics: number;
  /** Custom metrics that alarms watch: those that the service writes. */
  metrics: number;
  /** Queues that Lambda polls. */
  mappings: number;
  /** Those of them that are FIFO, whose requests cost more. */
  fifoMappings: number;
  functions: Map<string, FunctionSize>;
  queues: Map<string, { function: string; maximumConcurrency: number }>;
  indexInBucket: boolean;
  indexIsBackedUp: boolean;
  bucketIsBackedUp: boolean;
  /** Calls per second that the stage lets through. */
  rate: number;
}

interface FunctionSize {
  gigabytes: number;
  /** Beyond the 512 MB that cost nothing. */
  storageGigabytes: number;
  reserved: number;
}

/** Reads serverless.yml with its fragments, for a stage. */
export function readResources(root: string, stage = 'dev'): StageResources {
  const file = join(root, 'serverless.yml');
  const service = readServiceFile(file, stage);
  // biome-ignore lint/suspicious/noExplicitAny: the file as it is written
  const text = yaml.load(readFileSync(file, 'utf8')) as any;
  const settings = yaml.load(readFileSync(join(root, `infra/stages/${stage}.yml`), 'utf8')) as Settings;
  const all = Object.values(service.resources);
  const alarms = all.filter(({ Type }) => Type === 'AWS::CloudWatch::Alarm');
  const sizeOf = ({ name, reservedConcurrency }: (typeof service.functions)[number]): FunctionSize => {
    const { memorySize = text.provider.memorySize, ephemeralStorageSize = 512 } = text.functions[name];
    return {
      gigabytes: memorySize / MEGABYTES,
      storageGigabytes: (ephemeralStorageSize - 512) / MEGABYTES,
      reserved: Number(reservedConcurrency ?? 0),
    };
  };
  const mapped = service.queues.flatMap(({ name, worker }) => (worker ? [[name, worker] as const] : []));
  const indexInBucket = settings.VECTORS === 's3';
  return {
    counts: countTypes(all),
    alarmMetrics: alarms.reduce((sum, { Properties }) => sum + metricsOf(Properties), 0),
    metrics: ownMetrics(alarms).size,
    mappings: mapped.length,
    fifoMappings: service.queues.filter(({ fifo, worker }) => fifo && worker).length,
    functions: new Map(service.functions.map((fn) => [fn.name, sizeOf(fn)])),
    queues: new Map(mapped),
    indexInBucket,
    indexIsBackedUp: !indexInBucket && fileSystemsOf(all).every(isBackedUp),
    bucketIsBackedUp: settings.BUCKET_BACKUP === 'daily',
    rate: Number(settings.API_RATE ?? /'(\d+)'/.exec(text.custom.throttles.all.rate)?.[1]),
  };
}

interface Settings {
  VECTORS?: string;
  BUCKET_BACKUP?: string;
  API_RATE?: number;
}

function countTypes(resources: CloudFormationResource[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { Type } of resources) counts[Type] = (counts[Type] ?? 0) + 1;
  return counts;
}

// biome-ignore lint/suspicious/noExplicitAny: properties have the type of their resource.
type Properties = any;

function metricsOf({ Metrics }: Properties): number {
  return Metrics === undefined ? 1 : Metrics.filter((one: Properties) => one.MetricStat !== undefined).length;
}

/** Metrics outside AWS's own namespaces are custom ones. */
function ownMetrics(alarms: CloudFormationResource[]): Set<string> {
  const watched = alarms.flatMap(({ Properties: { Namespace, MetricName, Metrics = [] } }) => [
    { Namespace, MetricName },
    ...Metrics.flatMap((one: Properties) => one.MetricStat?.Metric ?? []),
  ]);
  const own = watched.filter(
    ({ Namespace }) => Namespace !== undefined && !String(Namespace).startsWith('AWS/'),
  );
  return new Set(own.map(({ MetricName }) => MetricName));
}

function fileSystemsOf(resources: CloudFormationResource[]): CloudFormationResource[] {
  return resources.filter(({ Type }) => Type === 'AWS::EFS::FileSystem');
}

/** A second file system without a backup is the one of the index. */
function isBackedUp({ Properties }: CloudFormationResource): boolean {
  return Properties.BackupPolicy?.Status === 'ENABLED';
}
