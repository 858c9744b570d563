import load from './load.json' with { type: 'json' };
import measured from './measured.json' with { type: 'json' };
import prices from './prices.json' with { type: 'json' };
import type { StageResources } from './read-resources.ts';
import { churnOf, type Load, requestsOf, tableBytes, vectorBytes, type Work, workOf } from './work.ts';

export interface Item {
  name: string;
  usd: number;
}

type PriceName = keyof typeof prices.prices;

const HOURS = 730;
const GB = 1e9;
/** Requests per message: sent, received, deleted. */
const CALLS_PER_MESSAGE = 3;
const QUERIES_PER_COMMAND = 10;
/** Base64 in messages: bytes of a float. */
const BASE64_FLOAT = 16 / 3;

function usd(amount: number, price: PriceName): number {
  return amount * prices.prices[price].usd;
}

export function totalOf(items: Item[]): number {
  return items.reduce((sum, item) => sum + item.usd, 0);
}

/** A function's requests and time. */
function timeUsd({ functions }: StageResources, name: string, times: number, seconds: number): number {
  const { gigabytes = 0, storageGigabytes = 0 } = functions.get(name) ?? {};
  return (
    usd(times, 'lambdaRequest') +
    usd(times * seconds * gigabytes, 'lambdaGbSecond') +
    usd(times * seconds * storageGigabytes, 'lambdaStorageGbSecond')
  );
}

/** What a stage costs per month without any request. */
export function idleItems(resources: StageResources, { assumed }: Load = load): Item[] {
  const { alarmMetrics, metrics, mappings, fifoMappings } = resources;
  const count = (type: string) => resources.counts[`AWS::${type}`] ?? 0;
  const [alarms, dashboards] = [count('CloudWatch::Alarm'), count('CloudWatch::Dashboard')];
  const pollsOf = (queues: number) =>
    (queues * assumed.pollersPerMapping * HOURS * 3600) / assumed.pollSeconds;
  const watching = usd(alarmMetrics, 'alarmMetric') + usd(metrics, 'metric') + usd(dashboards, 'dashboard');
  const items = [
    { name: 'NAT gateway', usd: usd(count('EC2::NatGateway') * HOURS, 'natHour') },
    { name: 'Its public IPv4 address', usd: usd(count('EC2::EIP') * HOURS, 'addressHour') },
    {
      name: `${alarms} alarms on ${alarmMetrics} metrics; ${metrics} custom metrics; ${dashboards} dashboard`,
      usd: watching,
    },
    {
      name: `Lambda polls ${mappings} queues: ${(pollsOf(mappings) / 1e6).toFixed(1)} million requests`,
      usd: usd(pollsOf(mappings - fifoMappings), 'sqsRequest') + usd(pollsOf(fifoMappings), 'sqsFifoRequest'),
    },
    { name: 'A secret, for the key of a model', usd: usd(1, 'secret') },
    { name: 'Scheduler tick: time, reads, log, and traces', usd: tickUsd(resources, assumed) },
    { name: 'Keys of KMS', usd: usd(count('KMS::Key'), 'key') },
  ];
  return items.filter((item) => item.usd > 0);
}

function tickUsd(resources: StageResources, assumed: Load['assumed']): number {
  const ticks = (resources.counts['AWS::Scheduler::Schedule'] ?? 0) * HOURS * 60;
  return (
    timeUsd(resources, 'scheduler', ticks, assumed.seconds.tick) +
    usd(ticks * measured.calls.tick.readUnits, 'readUnit') +
    usd((ticks * assumed.logBytesPerCall) / GB, 'logGb') +
    usd(ticks, 'trace')
  );
}

/** What a team costs per month in addition to the idle stage. */
export function useItems(resources: StageResources, people: number, of: Load = load): Item[] {
  const work = workOf(people, of);
  const { seconds } = of.assumed;
  const month = (perDay: number) => perDay * of.workdays;
  const time = (name: string, perDay: number, each: number) => timeUsd(resources, name, month(perDay), each);
  const bring = (of.assumed.bringSecondsPerThousandFiles * of.filesPerWorkspace) / 1000;
  return [
    { name: 'Chats: Lambda', usd: time('chat', work.chats, of.chatSeconds) },
    { name: 'Agent runs: Lambda', usd: time('agent', work.runs, of.run.seconds) },
    {
      name: 'Commands: Lambda',
      usd:
        time('commands', work.commands, of.run.commandSeconds) +
        time('commands', work.newEnvironments, bring),
    },
    {
      name: 'Commands: fee for new tenant environments',
      usd: usd(
        month(work.newEnvironments) * (resources.functions.get('commands')?.gigabytes ?? 0),
        'tenantGb',
      ),
    },
    { name: 'Other requests and searches: Lambda', usd: requestsUsd(time, work, seconds) },
    { name: 'Indexing: Lambda', usd: indexingUsd(time, work, seconds) },
    { name: 'API Gateway', usd: usd(month(requestsOf(work)), 'gatewayRequest') },
    { name: 'DynamoDB', usd: recordsUsd(work, month, of) },
    { name: 'SQS', usd: queuesUsd(work, month) },
    ...indexItems(resources, work, of),
    { name: 'EFS: files at rest', usd: usd((work.files * of.bytesPerFile) / GB, 'fileGb') },
    { name: 'EFS: stats of files before and after commands', usd: walksUsd(work, of) },
    { name: 'EFS: reads by chats and searches', usd: resources.indexInBucket ? 0 : searchesUsd(work, of) },
    { name: 'Backups of EFS', usd: backupUsd(resources, work, of) },
    { name: 'Backups of the bucket', usd: bucketBackupUsd(resources, work, of) },
    ...trafficItems(resources, work, of),
    { name: 'Logs', usd: usd(logGb(work, of), 'logGb') + usd(logGb(work, of), 'logStorageGb') },
    { name: 'X-Ray', usd: usd(tracesOf(work, of), 'trace') },
    {
      name: 'Secrets of MCP servers',
      usd: usd((work.workspaces * of.secretsPerHundredWorkspaces) / 100, 'secret'),
    },
    { name: 'S3 requests of commands', usd: objectsUsd(work, month, of) },
    { name: 'DNS firewall of commands', usd: firewallUsd(resources, month(work.commands)) },
  ];
}

/** Types of resources that these sums don't know: what they cost is missing. */
export function unknownTypes({ counts }: StageResources): string[] {
  return Object.keys(counts).filter((type) => !prices.known.includes(type));
}

type TimeOf = (name: string, perDay: number, seconds: number) => number;

function requestsUsd(time: TimeOf, work: Work, seconds: Load['assumed']['seconds']): number {
  return (
    time('authorizer', requestsOf(work), seconds.authorizer) +
    time('files', work.otherRequests + work.saves, seconds.other) +
    time('chat', work.searches, seconds.search)
  );
}

/** A command is followed by a look at the workspace. */
function indexingUsd(time: TimeOf, work: Work, seconds: Load['assumed']['seconds']): number {
  return (
    time('index-worker', work.saves + work.commands, seconds.index) +
    time('index-worker', work.batches, seconds.indexBatch) +
    time('commit-worker', work.saves, seconds.commit) +
    time('commit-worker', work.batches, seconds.commitBatch) +
    time('maintain-worker', work.maintenances, seconds.maintain)
  );
}

/** How often each measured operation happens per day, with the seconds for which chats and runs wait. */
export function countedOf(work: Work, of: Load): [times: number, counted: Counted][] {
  const { calls, perSecond } = measured;
  return [
    [work.chats, calls.chat],
    [work.chats * of.chatSeconds, perSecond.chat],
    [work.searches, calls.search],
    [work.otherRequests, calls.other],
    [work.runs, calls.run],
    [work.runs * of.run.seconds, perSecond.run],
    [work.saves, calls.saved],
  ];
}

/** What one operation, or one second of it, asks of DynamoDB; by shared partition too. */
interface Counted {
  readUnits: number;
  writeUnits: number;
  read: Record<string, number>;
  written: Record<string, number>;
}

/** A batch of files writes two records for each, and reads one. */
function recordsUsd(work: Work, month: (perDay: number) => number, of: Load): number {
  const perDay = countedOf(work, of).map(
    ([times, { readUnits, writeUnits }]) =>
      usd(times * readUnits, 'readUnit') + usd(times * writeUnits, 'writeUnit'),
  );
  const batched = work.changedFiles - work.saves;
  const others = usd(batched * 2, 'writeUnit') + usd(batched, 'readUnit');
  return month(perDay.reduce((sum, each) => sum + each, 0) + others);
}

/** Commits go through a FIFO queue, and so does maintenance. */
function queuesUsd(work: Work, month: (perDay: number) => number): number {
  const standard = work.saves + work.batches + work.commands;
  const fifo = work.saves + work.batches + work.maintenances;
  return month(
    usd(standard * CALLS_PER_MESSAGE, 'sqsRequest') + usd(fifo * CALLS_PER_MESSAGE, 'sqsFifoRequest'),
  );
}

/** The tables: on the file system, or in the bucket. */
function indexItems({ indexInBucket }: StageResources, work: Work, of: Load): Item[] {
  const { read, written } = churnOf(work, of);
  const stored = tableBytes(work.passages, of.dimensions) / GB;
  const monthly = (bytes: number) => (bytes * of.workdays) / GB;
  if (!indexInBucket)
    return [
      { name: 'EFS: index at rest', usd: usd(stored, 'fileGb') },
      { name: 'EFS: index written', usd: usd(monthly(written), 'fileWriteGb') },
      { name: 'EFS: index read for commits and maintenance', usd: usd(monthly(read), 'fileReadGb') },
    ];
  const commits = (work.saves + work.batches) * of.workdays;
  const searches = (work.chats + work.searches) * of.workdays;
  return [
    { name: 'S3: index at rest', usd: usd(stored, 'bucketGb') },
    {
      name: 'S3: requests of commits and searches',
      usd:
        usd(commits * 10 + work.maintenances * of.workdays * 20 + searches * 5, 'putRequest') +
        usd(searches * 97, 'getRequest'),
    },
  ];
}

/** A stat is metered as 4 KiB. */
function walksUsd(work: Work, { workdays, filesPerWorkspace, assumed }: Load): number {
  const bytes = work.commands * assumed.walksPerCommand * filesPerWorkspace * assumed.metadataBytes;
  return usd((bytes * workdays) / GB, 'fileReadGb');
}

/** A search whose instance doesn't have the index reads it, with the index of the text. */
function searchesUsd(work: Work, of: Load): number {
  const { searchReadBytes, coldSearches } = of.assumed;
  const indexBytes = (of.filesPerWorkspace * of.passagesPerFile * of.dimensions) / 2;
  const bytes = (work.chats + work.searches) * (searchReadBytes + coldSearches * indexBytes);
  return usd((bytes * of.workdays) / GB, 'fileReadGb');
}

/** One full copy, and what changed each day for as long as it is kept: maintenance rewrites a table, at most as a whole. */
function backupUsd({ indexIsBackedUp }: StageResources, work: Work, of: Load): number {
  const files = work.files * of.bytesPerFile;
  const changed = work.changedFiles * of.bytesPerFile;
  const table = tableBytes(work.passages / Math.max(work.workspaces, 1), of.dimensions);
  const rewritten =
    work.activeWorkspaces * Math.min(table, churnOf(work, of).written / work.activeWorkspaces);
  const days = (of.assumed.backupDays * of.workdays) / 30;
  const index = indexIsBackedUp ? table * work.workspaces + rewritten * days : 0;
  return usd((files + changed * days + index) / GB, 'backupGb');
}

/** AWS Backup stores every version of the index that a daily copy finds, and each stays in the bucket for a day. */
function bucketBackupUsd({ indexInBucket, bucketIsBackedUp }: StageResources, work: Work, of: Load): number {
  if (!indexInBucket || !bucketIsBackedUp) return 0;
  const days = (of.assumed.backupDays * of.workdays) / 30;
  const versions = churnOf(work, of).written * days;
  return usd((tableBytes(work.passages, of.dimensions) + versions) / GB, 'backupGb');
}

/** Bytes through the NAT gateway: answers of the embedder first of all, prompts and answers of models, and messages. */
function trafficItems(resources: StageResources, work: Work, of: Load): Item[] {
  const { passageTextBytes, chatBytes, runBytes, answerBytes } = of.assumed;
  const texts = work.changedFiles * of.passagesPerFile;
  const messages = work.saves * of.passagesPerFile * of.dimensions * BASE64_FLOAT;
  const models = work.chats * chatBytes + work.runs * runBytes;
  const monthly = (bytes: number) => (bytes * of.workdays) / GB;
  const hasNat = (resources.counts['AWS::EC2::NatGateway'] ?? 0) > 0;
  const sent = texts * passageTextBytes + models / 2 + requestsOf(work) * answerBytes;
  return [
    {
      name: 'NAT: vectors from the embedder',
      usd: hasNat ? usd(monthly(texts * vectorBytes(of)), 'natGb') : 0,
    },
    {
      name: 'NAT: texts, prompts, answers, messages',
      usd: hasNat ? usd(monthly(texts * passageTextBytes + models + messages), 'natGb') : 0,
    },
    { name: 'Traffic to the internet', usd: usd(monthly(sent), 'outGb') },
  ];
}

/** Lines of the access log, of Lambda, and of the service. */
function logGb(work: Work, of: Load): number {
  const calls =
    2 * requestsOf(work) + 2 * work.saves + 2 * work.batches + 2 * work.commands + work.maintenances;
  return (calls * of.assumed.logBytesPerCall * of.workdays) / GB;
}

/** The first request of each second, and one in twenty beyond. */
function tracesOf(work: Work, { workdays, hoursPerDay }: Load): number {
  const seconds = workdays * hoursPerDay * 3600;
  const perSecond = (requestsOf(work) * workdays) / seconds;
  return seconds * (Math.min(perSecond, 1) + 0.05 * Math.max(perSecond - 1, 0));
}

/** Changes and their list, and the looks whether a command was stopped. */
function objectsUsd(work: Work, month: (perDay: number) => number, { assumed }: Load): number {
  return month(usd(work.commands, 'putRequest') + usd(work.commands * assumed.commandGets, 'getRequest'));
}

function firewallUsd({ counts }: StageResources, commands: number): number {
  const has = (counts['AWS::Route53Resolver::FirewallRuleGroup'] ?? 0) > 0;
  return has ? usd(commands * QUERIES_PER_COMMAND, 'dnsQuery') : 0;
}

/** The items of 1,000 chats: nothing else happens. */
export function chatItems(resources: StageResources, of: Load = load): Item[] {
  const none = { chats: 1000, searches: 0, otherRequests: 0, runs: 0, savedFiles: 0 };
  const chats = { ...of, perPersonAndDay: none, changedShareOfFilesPerDay: 0, workdays: 1 };
  const stored = /at rest|Backups|Secrets/;
  return useItems(resources, 1, chats).filter(({ name, usd: cost }) => cost > 0.0005 && !stored.test(name));
}
