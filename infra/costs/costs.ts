import load from './load.json' with { type: 'json' };
import measured from './measured.json' with { type: 'json' };
import prices from './prices.json' with { type: 'json' };
import type { StageResources } from './read-resources.ts';
import { churnOf, type Load, tableBytes, type Work, workOf } from './work.ts';

export interface Item {
  name: string;
  usd: number;
}

/** Billed amounts by price name: requests, seconds, gigabytes. */
type Amounts = Partial<Record<keyof typeof prices.prices, number>>;

const HOURS = 730;
const GB = 1e9;
/** X-Ray's default rule: one request per second, and this share of the others. */
const SAMPLED_SHARE = 0.05;
/** Calls to send, receive, and delete. */
const CALLS_PER_MESSAGE = 3;

function usdOf(amounts: Amounts): number {
  return Object.entries(amounts).reduce(
    (sum, [price, amount]) => sum + amount * prices.prices[price as keyof Amounts].usd,
    0,
  );
}

export function totalOf(items: Item[]): number {
  return items.reduce((sum, item) => sum + item.usd, 0);
}

/** Returns the types of resources that the sums don't include, because their prices are missing. */
export function unknownTypes({ counts }: StageResources): string[] {
  return Object.keys(counts).filter((type) => !prices.known.includes(type));
}

/** Returns a function's requests and compute time. */
function timeOf({ functions }: StageResources, name: string, times: number, seconds: number): number {
  const { gigabytes = 0, storageGigabytes = 0 } = functions.get(name) ?? {};
  return usdOf({
    lambdaRequest: times,
    lambdaGbSecond: times * seconds * gigabytes,
    lambdaStorageGbSecond: times * seconds * storageGigabytes,
  });
}

function itemsOf(amounts: Record<string, Amounts>): Item[] {
  return Object.entries(amounts).map(([name, each]) => ({ name, usd: usdOf(each) }));
}

/** Returns the monthly costs of a stage without any request. */
export function idleItems(resources: StageResources, { assumed }: Load = load): Item[] {
  const { alarmMetrics, metrics, mappings, fifoMappings } = resources;
  const count = (type: string) => resources.counts[`AWS::${type}`] ?? 0;
  const polls = (assumed.pollersPerMapping * HOURS * 3600) / assumed.pollSeconds;
  const ticks = count('Scheduler::Schedule') * HOURS * 60;
  const tick = { readUnit: ticks * measured.calls.tick.readUnits, trace: ticks };
  const items = itemsOf({
    'NAT gateway': { natHour: count('EC2::NatGateway') * HOURS },
    'Its public IPv4 address': { addressHour: count('EC2::EIP') * HOURS },
    [`${count('CloudWatch::Alarm')} alarms on ${alarmMetrics} metrics; ${metrics} custom metrics; dashboard`]:
      {
        alarmMetric: alarmMetrics,
        metric: metrics,
        dashboard: count('CloudWatch::Dashboard'),
      },
    [`Lambda polls ${mappings} queues: ${((mappings * polls) / 1e6).toFixed(1)} million requests`]: {
      sqsRequest: (mappings - fifoMappings) * polls,
      sqsFifoRequest: fifoMappings * polls,
    },
    'A secret, for the key of a model': { secret: 1 },
    'Keys of KMS': { key: count('KMS::Key') },
  });
  const ticking = timeOf(resources, 'scheduler', ticks, assumed.seconds.tick) + usdOf(tick);
  items.push({ name: 'Scheduler tick: time, reads, and traces', usd: ticking });
  return items.filter((item) => item.usd > 0);
}

/** Returns the monthly costs of a team, in addition to the idle stage. */
export function useItems(resources: StageResources, people: number, of: Load = load): Item[] {
  const work = workOf(people, of);
  const perDay = [
    ...computeItems(resources, work, of),
    ...recordItems(work, of),
    ...fileItems(work, of),
    ...trafficItems(resources, work, of),
  ];
  return [...perDay.map(({ name, usd }) => ({ name, usd: usd * of.workdays })), ...storedItems(work, of)];
}

/** Returns the daily Lambda items. After each command, the workspace is checked once. */
function computeItems(resources: StageResources, work: Work, of: Load): Item[] {
  const { seconds } = of.assumed;
  const bring = (of.assumed.bringSecondsPerThousandFiles * of.filesPerWorkspace) / 1000;
  const timed: Record<string, [name: string, times: number, seconds: number][]> = {
    Chats: [['chat', work.chats, of.chatSeconds]],
    'Agent runs': [['agent', work.runs, of.run.seconds]],
    // Lambda doesn't notice that a reader has left, so each reader costs the whole duration of a stream.
    'Readers of runs in other tabs': [['agent', work.readers, of.run.readerSeconds]],
    Commands: [
      ['commands', work.commands, of.run.commandSeconds],
      ['commands', work.newEnvironments, bring],
    ],
    'Other requests and searches': [
      ['authorizer', work.requests, seconds.authorizer],
      ['files', work.otherRequests + work.saves, seconds.other],
      ['chat', work.searches, seconds.search],
    ],
    Indexing: [
      ['index-worker', work.saves + work.commands, seconds.index],
      ['index-worker', work.batches, seconds.indexBatch],
      ['commit-worker', work.saves, seconds.commit],
      ['commit-worker', work.batches, seconds.commitBatch],
      ['maintain-worker', work.maintenances, seconds.maintain],
    ],
  };
  const fee = work.newEnvironments * (resources.functions.get('commands')?.gigabytes ?? 0);
  return [
    ...Object.entries(timed).map(([name, calls]) => ({
      name: `${name}: Lambda`,
      usd: calls.reduce((sum, call) => sum + timeOf(resources, ...call), 0),
    })),
    { name: 'Commands: fee for new tenant environments', usd: usdOf({ tenantGb: fee }) },
  ];
}

/** Returns the daily items for requests, records, messages, and their logs. */
function recordItems(work: Work, of: Load): Item[] {
  const { calls, perSecond } = measured;
  const counted: [number, { readUnits: number; writeUnits: number }][] = [
    [work.chats, calls.chat],
    [work.chats * of.chatSeconds, perSecond.chat],
    [work.searches, calls.search],
    [work.otherRequests, calls.other],
    [work.runs, calls.run],
    [work.runs * of.run.seconds, perSecond.run],
    [work.saves, calls.saved],
    // A batch writes two records per file, and reads one.
    [work.changedFiles - work.saves, { readUnits: 1, writeUnits: 2 }],
  ];
  const units = (kind: 'readUnits' | 'writeUnits') =>
    counted.reduce((sum, [times, each]) => sum + times * each[kind], 0);
  const messages = work.saves + work.batches + work.maintenances;
  const invoked = 2 * (work.requests + work.saves + work.batches + work.commands) + work.maintenances;
  const logGb = (invoked * of.assumed.logBytesPerCall) / GB;
  const trace = Math.min(work.requests, of.workdayHours * 3600 + work.requests * SAMPLED_SHARE);
  return itemsOf({
    'API Gateway': { gatewayRequest: work.requests },
    DynamoDB: { readUnit: units('readUnits'), writeUnit: units('writeUnits') },
    SQS: { sqsFifoRequest: (messages + work.saves + work.commands) * CALLS_PER_MESSAGE },
    'Logs and traces': { logGb, logStorageGb: logGb, trace },
  });
}

/** Returns the daily items for reads and writes of files and the index. A stat is metered as 4 KiB. */
function fileItems(work: Work, of: Load): Item[] {
  const { walksPerCommand, metadataBytes, searchReadBytes, coldSearches } = of.assumed;
  const { read, written } = churnOf(work, of);
  // A new instance loads the vector index and the text index.
  const cold = (coldSearches * of.filesPerWorkspace * of.passagesPerFile * of.dimensions) / 2;
  const searched = (work.chats + work.searches) * (searchReadBytes + cold);
  const walks = work.commands * walksPerCommand * of.filesPerWorkspace * metadataBytes;
  return itemsOf({
    'EFS: index written': { fileWriteGb: written / GB },
    'EFS: index read for commits and maintenance': { fileReadGb: read / GB },
    'EFS: reads by chats and searches': { fileReadGb: searched / GB },
    'EFS: stats of files before and after commands': { fileReadGb: walks / GB },
  });
}

/** Returns the daily items for bytes through the NAT gateway and to callers, mainly the embedder's vectors as JSON. */
function trafficItems({ counts }: StageResources, work: Work, of: Load): Item[] {
  const { textBytes, chatBytes, runBytes, answerBytes } = of.assumed;
  const vector = of.dimensions * measured.embedding.floatBytesPerDimension + textBytes;
  const models = work.chats * chatBytes + work.runs * runBytes;
  const through = counts['AWS::EC2::NatGateway']
    ? work.changedFiles * of.passagesPerFile * vector + models
    : 0;
  return itemsOf({
    'NAT: vectors, texts, prompts, answers': { natGb: through / GB },
    'Traffic to callers': { outGb: (work.requests * answerBytes) / GB },
  });
}

/**
 * Returns the monthly items for stored data. Backups contain one full copy, plus each day's changes for the retention
 * period.
 */
function storedItems(work: Work, of: Load): Item[] {
  const days = (of.assumed.backupDays * of.workdays) / 30;
  const table = tableBytes(work.passages, of.dimensions);
  const files = work.files * of.bytesPerFile;
  // Maintenance rewrites at most one whole table.
  const rewritten = Math.min((table / work.workspaces) * work.activeWorkspaces, churnOf(work, of).written);
  const changed = (work.changedFiles * of.bytesPerFile + rewritten) * days;
  return itemsOf({
    'EFS: files at rest': { fileGb: files / GB },
    'EFS: index at rest': { fileGb: table / GB },
    'Backups of EFS': { backupGb: (files + table + changed) / GB },
    'Secrets of MCP servers': { secret: (work.workspaces * of.secretsPerHundredWorkspaces) / 100 },
  });
}
