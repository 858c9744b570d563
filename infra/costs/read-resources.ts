import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as yaml from 'js-yaml';
import { type CloudFormationResource, readServiceFile } from '../local/service-file.ts';

const MEGABYTES = 1024;

/** The billed resources of a deployed stage. */
export interface StageResources {
  /** Resources by their type. */
  counts: Record<string, number>;
  /** Number of metrics that the alarms watch; AWS charges per metric, and one alarm may have ten. */
  alarmMetrics: number;
  /** Number of watched custom metrics, which the service writes itself. */
  metrics: number;
  /** Number of queues that Lambda polls. */
  mappings: number;
  /** Number of FIFO queues among the mappings; their requests cost more. */
  fifoMappings: number;
  /** GB of memory, and GB of ephemeral storage beyond the free 0.5 GB. */
  functions: Map<string, { gigabytes: number; storageGigabytes: number }>;
}

/** Reads a stage's billed resources from serverless.yml and its fragments. */
export function readResources(root: string, stage = 'dev'): StageResources {
  const file = join(root, 'serverless.yml');
  const service = readServiceFile(file, stage);
  // biome-ignore lint/suspicious/noExplicitAny: the file as it is written
  const { functions, provider } = yaml.load(readFileSync(file, 'utf8')) as any;
  const all = Object.values(service.resources);
  const alarms = all.filter(({ Type }) => Type === 'AWS::CloudWatch::Alarm');
  const sizeOf = (name: string) => {
    const { memorySize = provider.memorySize, ephemeralStorageSize = 512 } = functions[name];
    return { gigabytes: memorySize / MEGABYTES, storageGigabytes: (ephemeralStorageSize - 512) / MEGABYTES };
  };
  const polled = service.queues.filter(({ worker }) => worker !== undefined);
  return {
    counts: countTypes(all),
    alarmMetrics: alarms.reduce((sum, { Properties }) => sum + metricsOf(Properties), 0),
    metrics: ownMetrics(alarms).size,
    mappings: polled.length,
    fifoMappings: polled.filter(({ fifo }) => fifo).length,
    functions: new Map(service.functions.map(({ name }) => [name, sizeOf(name)])),
  };
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

/** Returns the custom metrics: those outside AWS's own namespaces. */
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
