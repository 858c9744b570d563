import { countedOf } from './costs.ts';
import load from './load.json' with { type: 'json' };
import measured from './measured.json' with { type: 'json' };
import { type Station, simulateHour, type Waits } from './queue-simulation.ts';
import quotaFile from './quotas.json' with { type: 'json' };
import type { StageResources } from './read-resources.ts';
import { churnOf, type Load, requestsOf, vectorBytes, type Work, workOf } from './work.ts';

const HOUR = 3600;
/** One in a thousand seconds has more calls than this many standard deviations above the mean. */
const DEVIATIONS = 3.09;
/** A change isn't found by searches before it was indexed: more than so many seconds are too long. */
const LONG_WAIT = 60;
/** A command without a place is refused after so many seconds; more than one in a hundred are too many. */
const REFUSED_SHARE = 0.01;

/** Of the bisection: what is found is right to a thousandth. */
const STEPS = 10;

/** Something that a team uses up: a quota of AWS, a partition, or a limit of the stack. */
export interface Limit {
  name: string;
  limit: number;
  unit: string;
  /** How much a second of the busiest hour uses on average. */
  meanOf(people: number): number;
  /** How much one event uses: few large events vary more than many small ones. */
  grain: number;
  /** What an operator changes. */
  change: string;
  confirmed: boolean;
}

/** A queue with a limited number of workers. */
export interface Queue {
  name: string;
  change: string;
  stationOf(people: number): Station;
  isTooLong(waits: Waits): boolean;
}

/** The most people whose busiest seconds a limit allows: the mean and its deviations together reach it. */
export function peopleAt({ limit, meanOf, grain }: Limit): number {
  const events = ((Math.sqrt(DEVIATIONS ** 2 + (4 * limit) / grain) - DEVIATIONS) / 2) ** 2;
  return (events * grain) / meanOf(1);
}

/** The share of a limit that the busiest seconds use. */
export function usedOf({ limit, meanOf, grain }: Limit, people: number): number {
  const mean = meanOf(people);
  return (mean + DEVIATIONS * Math.sqrt(mean * grain)) / limit;
}

/** The most people whose busiest hour waits at a queue for less than is too long; by bisection over simulated hours. */
export function peopleAtQueue({ stationOf, isTooLong }: Queue): number {
  const { perSecond, seconds, workers } = stationOf(1);
  let [from, to] = [0, (1.5 * workers) / (perSecond * seconds)];
  for (let step = 0; step < STEPS; step++) {
    const middle = (from + to) / 2;
    if (isTooLong(simulateHour(stationOf(middle)))) to = middle;
    else from = middle;
  }
  return from;
}

export function queuesOf({ queues, functions }: StageResources, of: Load = load): Queue[] {
  const { seconds } = of.assumed;
  const workers = (name: string) => queues.get(name)?.maximumConcurrency ?? 1;
  const busiest = (perDay: (work: Work) => number) => (people: number) =>
    (perDay(workOf(people, of)) * of.busiestHour) / HOUR;
  const queue = (
    name: string,
    [perDay, each, at]: [(work: Work) => number, number, number],
    change: string,
    isTooLong: Queue['isTooLong'] = ({ p95 }) => p95 > LONG_WAIT,
  ): Queue => ({
    name,
    change,
    isTooLong,
    stationOf: (people) => ({ perSecond: busiest(perDay)(people), seconds: each, workers: at }),
  });
  return [
    queue(
      'Small changes: index workers of `touch`',
      [({ saves, commands }) => saves + commands, seconds.index, workers('touch')],
      'Raise `maximumConcurrency` of the `touch` event',
    ),
    queue(
      'Batches of changes: index workers of `index`',
      [({ batches }) => batches, seconds.indexBatch, workers('index')],
      'Raise `maximumConcurrency` of the `index` event, within the rate limit of the embedding service',
    ),
    queue(
      'Commits: commit workers',
      [({ saves, batches }) => saves + batches, seconds.commit, workers('commit')],
      'Raise `commitsAtOnce`, within the Lambda quota',
    ),
    queue(
      'Maintenance of tables: maintain workers',
      [({ maintenances }) => maintenances, seconds.maintain, workers('maintain')],
      'Raise `maximumConcurrency` of the `maintain` event',
      ({ p95 }) => p95 > 10 * LONG_WAIT,
    ),
    queue(
      'Commands at once (`AGENT_RUNS_AT_ONCE`)',
      [({ commands }) => commands, of.run.commandSeconds, functions.get('commands')?.reserved ?? 1],
      'Raise `AGENT_RUNS_AT_ONCE`, within the Lambda quota',
      ({ late }) => late > REFUSED_SHARE,
    ),
  ];
}

type QuotaName = keyof typeof quotaFile.quotas;
type About = Omit<Limit, 'limit' | 'confirmed' | 'grain'> & { limit?: number; grain?: number };

/**
 * Limits of AWS and of the stack, in the busiest hour. Network interfaces aren't among them: Lambda shares one per subnet and
 * security group, whatever the load.
 */
export function limitsOf(resources: StageResources, of: Load = load): Limit[] {
  return [
    ...lambdaLimits(resources, of),
    ...requestLimits(resources, of),
    ...partitionLimits(of),
    ...fileLimits(resources, of),
    ...networkLimits(of),
  ];
}

function quota(name: QuotaName, about: About): Limit {
  const { limit, source } = quotaFile.quotas[name];
  return { limit, confirmed: source !== 'memory', grain: 1, ...about };
}

/** The mean of a second of the busiest hour. */
function busiest(of: Load, perDay: (work: Work) => number): (people: number) => number {
  return (people) => (perDay(workOf(people, of)) * of.busiestHour) / HOUR;
}

function lambdaLimits({ functions }: StageResources, of: Load): Limit[] {
  const reserved = [...functions.values()].reduce((sum, each) => sum + each.reserved, 0);
  const { concurrency, tenantsPerThousand } = quotaFile.quotas;
  const perExecution = tenantsPerThousand.limit / 1000;
  const alive = of.run.seconds + of.assumed.idleEnvironmentMinutes * 60;
  const environments = busiest(of, ({ runs }) => runs * alive);
  return [
    quota('concurrency', {
      name: 'Lambda executions',
      unit: `at once; ${reserved} more are reserved`,
      limit: concurrency.limit - reserved,
      meanOf: busiest(of, (work) => executionSeconds(work, of)),
      change: 'Request a higher quota',
    }),
    quota('tenantsPerThousand', {
      name: 'Tenant environments, if Lambda counts reserved concurrency',
      unit: 'running or idle',
      limit: perExecution * (functions.get('commands')?.reserved ?? 0),
      meanOf: environments,
      change: 'Raise `AGENT_RUNS_AT_ONCE`',
    }),
    quota('tenantsPerThousand', {
      name: "Tenant environments, if it counts the account's concurrency",
      unit: 'running or idle',
      limit: perExecution * concurrency.limit,
      meanOf: environments,
      change: 'Request a higher quota of concurrent executions',
    }),
  ];
}

function requestLimits({ rate }: StageResources, of: Load): Limit[] {
  const requests = { unit: 'requests per second', meanOf: busiest(of, requestsOf) };
  const { fifoCallsPerPartition } = quotaFile.quotas;
  return [
    quota('rate', {
      ...requests,
      name: "The stage's throttle",
      limit: rate,
      change: 'Raise `API_RATE` and `API_BURST`',
    }),
    quota('gatewayRequests', { ...requests, name: 'API Gateway', change: 'Request a higher quota' }),
    quota('duePage', {
      name: 'Quiet tables per tick of the scheduler',
      unit: 'per minute',
      meanOf: (people) => 60 * busiest(of, ({ maintenances }) => maintenances)(people),
      change: 'Nothing: the rest waits for a quieter hour, and old versions of tables stay longer',
    }),
    quota('fifoCallsPerPartition', {
      name: 'SQS partitions of the commit queue',
      unit: 'calls per second, as if there were one partition',
      limit: fifoCallsPerPartition.limit,
      meanOf: busiest(of, ({ saves, batches }) => saves + batches),
      change: 'Nothing: SQS adds partitions, because the queue has high throughput',
    }),
    quota('secretReads', {
      name: 'Secrets Manager',
      unit: 'reads per second',
      // Two keys per environment and five minutes; as many environments again are idle.
      meanOf: (people) => (4 * busiest(of, (work) => executionSeconds(work, of))(people)) / 300,
      change: 'Nothing',
    }),
  ];
}

function fileLimits({ indexInBucket }: StageResources, of: Load): Limit[] {
  const indexWritten = (work: Work) => (indexInBucket ? 0 : churnOf(work, of).written);
  const one = workOf(1, of);
  const grain = churnOf(one, of).written / one.maintenances / 1e9;
  return [
    quota('fileReadGb', {
      name: 'EFS reads',
      grain,
      unit: 'GB per second',
      meanOf: busiest(of, (work) => readBytes(work, of, indexInBucket) / 1e9),
      change: 'Set `VECTORS: s3`, or use a model with fewer dimensions',
    }),
    quota('fileWriteGb', {
      name: 'EFS writes',
      grain,
      unit: 'GB per second',
      meanOf: busiest(of, (work) => (work.changedFiles * of.bytesPerFile + indexWritten(work)) / 1e9),
      change: 'Set `VECTORS: s3`, or use a model with fewer dimensions',
    }),
    quota('fileReads', {
      name: 'EFS operations',
      unit: 'per second, for stats before and after commands',
      meanOf: busiest(of, ({ commands }) => commands * of.assumed.walksPerCommand * of.filesPerWorkspace),
      change: 'Split large workspaces',
    }),
    quota('fileConnections', {
      name: 'EFS connections',
      unit: 'environments with the mount',
      meanOf: (people) => 2 * busiest(of, (work) => executionSeconds(work, of))(people),
      change: 'Request a higher quota',
    }),
  ];
}

function networkLimits(of: Load): Limit[] {
  return [
    quota('natGb', {
      name: 'NAT gateway bytes',
      grain: (of.filesPerBatch * of.passagesPerFile * vectorBytes(of)) / 1e9,
      unit: 'GB per second, before it scales up',
      meanOf: busiest(of, (work) => natBytes(work, of) / 1e9),
      change: 'Nothing: it scales to twenty times that',
    }),
    quota('natConnections', {
      name: 'NAT gateway connections to one host',
      unit: 'at once',
      meanOf: busiest(of, (work) => executionSeconds(work, of)),
      change: 'Add an address to the gateway, or use `NETWORK: given`',
    }),
  ];
}

type Kind = 'read' | 'written';

/** Partitions that all callers share, from the calls that were measured. */
function partitionLimits(of: Load): Limit[] {
  const limitsFor = (kind: Kind) =>
    sharedPartitions(kind).map((name) =>
      quota(kind === 'read' ? 'partitionReads' : 'partitionWrites', {
        name: `DynamoDB partition \`${shortName(name)}\``,
        unit: `${kind === 'read' ? 'reads' : 'writes'} per second`,
        meanOf: busiest(of, (work) => unitsOf(work, of, kind, name)),
        change: isOneItem(name)
          ? 'Nothing: it is one item, which DynamoDB cannot split'
          : 'Nothing at first: DynamoDB splits a partition that stays hot, and calls are retried',
      }),
    );
  return [...limitsFor('written'), ...limitsFor('read')].filter(({ meanOf }) => meanOf(1) > 0);
}

function sharedPartitions(kind: Kind): string[] {
  return [...new Set(Object.values(measured.calls).flatMap((calls) => Object.keys(calls[kind])))];
}

function shortName(partition: string): string {
  return partition.replace('#month#service#service', '#month#service');
}

function isOneItem(partition: string): boolean {
  return partition.endsWith('service#service');
}

function unitsOf(work: Work, of: Load, kind: Kind, partition: string): number {
  return countedOf(work, of).reduce(
    (sum, [times, counted]) => sum + times * (counted[kind][partition] ?? 0),
    0,
  );
}

/** Little's law: calls per second times their seconds are the calls at once. Commands and commits have places of their own. */
function executionSeconds(work: Work, of: Load): number {
  const { seconds } = of.assumed;
  return (
    work.chats * of.chatSeconds +
    work.searches * seconds.search +
    work.runs * of.run.seconds +
    requestsOf(work) * seconds.authorizer +
    (work.otherRequests + work.saves) * seconds.other +
    (work.saves + work.commands) * seconds.index +
    work.batches * seconds.indexBatch +
    work.maintenances * seconds.maintain
  );
}

function readBytes(work: Work, of: Load, indexInBucket: boolean): number {
  const { walksPerCommand, metadataBytes, searchReadBytes, coldSearches } = of.assumed;
  const walks = work.commands * walksPerCommand * of.filesPerWorkspace * metadataBytes;
  const cold = (coldSearches * of.filesPerWorkspace * of.passagesPerFile * of.dimensions) / 2;
  const searches = (work.chats + work.searches) * (searchReadBytes + cold);
  return walks + (indexInBucket ? 0 : searches + churnOf(work, of).read);
}

function natBytes(work: Work, of: Load): number {
  const vectors = work.changedFiles * of.passagesPerFile * vectorBytes(of);
  return vectors + work.chats * of.assumed.chatBytes + work.runs * of.assumed.runBytes;
}
