import { limitsOf, peopleAt, peopleAtQueue, queuesOf, usedOf } from './capacity.ts';
import { chatItems, type Item, idleItems, totalOf, useItems } from './costs.ts';
import load from './load.json' with { type: 'json' };
import measured from './measured.json' with { type: 'json' };
import prices from './prices.json' with { type: 'json' };
import { simulateHour } from './queue-simulation.ts';
import type { StageResources } from './read-resources.ts';
import { amplification, type Load, requestsOf, workOf } from './work.ts';

/** Tables in Markdown, by the heading of a docs page that they are under. */
export type Tables = Record<string, string>;

const TEAM = 200;
const LARGEST = 4;
/** Smaller items are one row. */
const SMALL_SHARE = 0.01;
/** Above it the load of this page isn't one deployment's. */
const MANY_PEOPLE = 250_000;

export function costTables(resources: StageResources): Tables {
  const idle = idleItems(resources);
  const rows = load.people.map((people) => sizeRow(people, idle, useItems(resources, people)));
  return {
    Idle: itemTable(idle, 'USD per month'),
    'Per 1,000 chats': itemTable(chatItems(resources), 'USD', 0),
    'By team size': table(['People', 'USD per month', 'Per person', 'Largest items'], rows),
    'A team of 200': itemTable([
      { name: 'Idle, as above', usd: totalOf(idle) },
      ...useItems(resources, TEAM),
    ]),
    'What you can change': table(
      ['Change', ...load.people.map((people) => `${count(people)} people`)],
      leverRows(resources),
    ),
    'Writes to the index': table(
      ['Changes before a maintenance', ...measured.churn.files.map((files) => `${count(files)} files`)],
      churnRows(),
    ),
    'Prices without a source': table(['Price', 'USD', 'What is known'], priceRows()),
  };
}

export function capacityTables(resources: StageResources): Tables {
  return {
    'Which limit comes first': table(['At about', 'Limit', 'What you change'], limitRows(resources)),
    'By team size': table(
      ['People', 'Busiest hour', 'Most used limits', 'Waits at queues (one in twenty is longer)'],
      load.people.map((people) => capacityRow(resources, people)),
    ),
    'Calls per request': table(
      ['Operation', 'DynamoDB reads', 'Writes', 'Queue messages', 'Functions'],
      callRows(),
    ),
  };
}

function sizeRow(people: number, idle: Item[], use: Item[]): string[] {
  const total = totalOf([...idle, ...use]);
  const largest = [...use, { name: 'Idle', usd: totalOf(idle) }]
    .sort((a, b) => b.usd - a.usd)
    .slice(0, LARGEST);
  const named = largest.map((item) => `${item.name} ${money(item.usd)}`).join('; ');
  return [count(people), money(total), money(total / people), named];
}

function itemTable(items: Item[], title = 'USD per month', smallShare = SMALL_SHARE): string {
  const total = totalOf(items);
  const isSmall = (item: Item) => item.usd < total * smallShare;
  const rows = items
    .filter((item) => !isSmall(item))
    .sort((a, b) => b.usd - a.usd)
    .map((item) => [item.name, money(item.usd)]);
  const small = items.filter((item) => isSmall(item) && item.usd > 0);
  if (small.length > 0)
    rows.push([`Others: ${small.map(({ name }) => name).join('; ')}`, money(totalOf(small))]);
  return table(['Item', title], [...rows, ['**Together**', `**${money(total)}**`]]);
}

/** What a change of the stage, or of the load, saves. */
function leverRows(resources: StageResources): string[][] {
  const without = (types: string[]) => {
    const kept = Object.entries(resources.counts).filter(([type]) => !types.includes(type));
    return { ...resources, counts: Object.fromEntries(kept) };
  };
  const levers: [string, StageResources, Load][] = [
    [
      '`NETWORK: given`, with a route out that costs nothing more',
      without(['AWS::EC2::NatGateway', 'AWS::EC2::EIP']),
      load,
    ],
    ['`VECTORS: s3`', { ...resources, indexInBucket: true, indexIsBackedUp: false }, load],
    ['A model with 512 dimensions', resources, { ...load, dimensions: 512 }],
    ['An embedder that answers base64: OpenAI itself', resources, { ...load, base64Vectors: true }],
    ['No MCP servers with secret headers', resources, { ...load, secretsPerHundredWorkspaces: 0 }],
    [
      'A quarter of the changed files',
      resources,
      { ...load, changedShareOfFilesPerDay: load.changedShareOfFilesPerDay / 4 },
    ],
  ];
  const cost = (stage: StageResources, people: number, of: Load) =>
    totalOf(idleItems(stage, of)) + totalOf(useItems(stage, people, of));
  return levers.map(([name, stage, of]) => [
    name,
    ...load.people.map((people) => signed(cost(stage, people, of) - cost(resources, people, load))),
  ]);
}

const RHYTHMS = {
  isolated: 'One file saved',
  session: '12 files saved one by one',
  fifty: '50 files saved one by one',
  batch: '50 files in one commit',
} as const;

/** Bytes written per byte of the new vectors, for tables of the measured sizes. */
function churnRows(): string[][] {
  return Object.entries(RHYTHMS).map(([rhythm, name]) => {
    const { files, commitWritten, maintainWritten } = measured.churn[rhythm as keyof typeof RHYTHMS];
    const vectors = files * measured.churn.passagesPerFile * measured.churn.dimensions * 4;
    const factors = commitWritten.map((bytes, index) => (bytes + (maintainWritten[index] ?? 0)) / vectors);
    return [name, ...factors.map((factor) => (factor < 10 ? factor.toFixed(1) : String(Math.round(factor))))];
  });
}

function priceRows(): string[][] {
  return Object.entries(prices.prices)
    .filter(([, { source }]) => source !== 'list' && source !== 'xray')
    .map(([, { usd, per, source }]) => [
      `${per[0]?.toUpperCase()}${per.slice(1)}`,
      plain(usd),
      prices.sources[source as keyof typeof prices.sources],
    ]);
}

/** Limits and queues, the one that breaks first on top. */
function limitRows(resources: StageResources): string[][] {
  const limits = limitsOf(resources).map((limit) => ({
    people: peopleAt(limit),
    name: `${limit.name}: ${count(limit.limit)} ${limit.unit}${limit.confirmed ? '' : ' (no source found)'}`,
    change: limit.change,
  }));
  const queues = queuesOf(resources).map((queue) => {
    const { workers, seconds } = queue.stationOf(1);
    return {
      people: peopleAtQueue(queue),
      name: `${queue.name}: ${workers} at once, ${seconds} s each`,
      change: queue.change,
    };
  });
  const all = [...limits, ...queues].sort((a, b) => a.people - b.people);
  const far = all.filter(({ people }) => people > MANY_PEOPLE);
  return [
    ...all
      .filter((each) => !far.includes(each))
      .map(({ people, name, change }) => [`${rounded(people)} people`, name, change]),
    [`Over ${count(MANY_PEOPLE)}`, far.map(({ name }) => name).join('; '), ''],
  ];
}

function capacityRow(resources: StageResources, people: number): string[] {
  const work = workOf(people);
  const perSecond = (perDay: number) => (perDay * load.busiestHour) / 3600;
  const limits = limitsOf(resources);
  const concurrency = limits[0]?.meanOf(people) ?? 0;
  const used = limits
    .map((limit) => ({ name: limit.name, used: usedOf(limit, people) }))
    .sort((a, b) => b.used - a.used)
    .slice(0, 3)
    .map((each) => `${each.name} ${Math.round(each.used * 100)}%`);
  const waits = queuesOf(resources).map((queue) => {
    const { p95, busy } = simulateHour(queue.stationOf(people));
    return { name: queue.name.replace(/:.*| at once.*/, '').toLowerCase(), p95, busy };
  });
  const waiting = waits.filter(({ p95 }) => p95 >= 1).map(({ name, p95 }) => `${name} ${duration(p95)}`);
  return [
    count(people),
    `${decimals(perSecond(requestsOf(work)))} requests and ${decimals(perSecond(work.chats))} chats per second, ${decimals(concurrency)} executions at once`,
    used.join('; '),
    waiting.length > 0 ? waiting.join('; ') : 'None over a second',
  ];
}

const OPERATIONS = {
  chat: 'A chat',
  search: 'A search',
  saved: 'A saved file, with its indexing and commit',
  run: 'An agent run of 12 steps with 8 commands, with its indexing',
  other: 'Browsing a folder',
  tick: 'A tick of the scheduler',
} as const;

function callRows(): string[][] {
  return Object.entries(OPERATIONS).map(([operation, name]) => {
    const { reads, writes, messages, functions } = measured.calls[operation as keyof typeof OPERATIONS];
    const called = Object.entries(functions).map(([fn, times]) =>
      times === 1 ? fn : `${fn} ${times} times`,
    );
    return [name, String(reads), String(writes), String(messages), called.join(', ')];
  });
}

/** The load, for those who read the output in a terminal. */
export function loadLine(): string {
  return `Bytes written per byte of new vectors, with this load: ${amplification(load).toFixed(1)}`;
}

function table(titles: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [line(titles), `|${titles.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

function money(value: number): string {
  const size = Math.abs(value);
  return size >= 100
    ? count(Math.round(value))
    : size >= 1
      ? value.toFixed(1)
      : value.toFixed(3).replace(/0$/, '');
}

/** Without an exponent. */
function plain(value: number): string {
  return value < 0.001 ? value.toFixed(12).replace(/0+$/, '') : String(value);
}

function signed(value: number): string {
  const rounded = Math.round(value);
  return rounded === 0 ? '0' : `${rounded > 0 ? '+' : '-'}${count(Math.abs(rounded))}`;
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}

function decimals(value: number): string {
  return value >= 10 ? count(Math.round(value)) : value.toPrecision(2);
}

/** Two digits: an estimate has no more. */
function rounded(people: number): string {
  return count(Number(people.toPrecision(2)));
}

function duration(seconds: number): string {
  if (seconds >= 3600) return 'over an hour';
  return seconds >= 120 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds)} s`;
}
