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
    'The model, for comparison': table(['Not from AWS', `USD per month, ${TEAM} people`], modelRows()),
    'The load': table(['What', 'How much'], loadRows()),
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
  const all = reachedOf(resources);
  return {
    'Which limit comes first': table(['At about', 'Limit', 'What you change'], limitRows(all)),
    'By team size': table(
      ['People', 'Busiest hour', 'Most used limits', 'Waits of one message in twenty', 'What you change'],
      load.people.map((people) => [...capacityRow(resources, people), changesFor(all, people)]),
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

/** What the model and the first indexing cost, which AWS doesn't bill: but for the writes. */
function modelRows(): string[][] {
  const { chat, run, passage, usdPerMillion } = load.tokens;
  const { chats, runs, changedFiles, passages } = workOf(TEAM);
  const usdOf = ({ in: read, out }: typeof chat, times: number) =>
    (times * load.workdays * (read * usdPerMillion.in + out * usdPerMillion.out)) / 1e6;
  const embedded = (texts: number) => (texts * passage * usdPerMillion.embedded) / 1e6;
  const { fill, dimensions } = measured.churn;
  const written = (passages * dimensions * 4 * fill.written) / fill.vectors / 1e9;
  return [
    [
      `Chats, with a small model at ${usdPerMillion.in} and ${usdPerMillion.out} per million tokens`,
      money(usdOf(chat, chats)),
    ],
    ['Agent runs, with the same', money(usdOf(run, runs))],
    [
      `Embedding of changed files, at ${usdPerMillion.embedded} per million tokens`,
      money(embedded(changedFiles * load.workdays * load.passagesPerFile)),
    ],
    [
      `Once: embedding all ${count(Math.round(passages / 1e5) / 10)} million passages`,
      money(embedded(passages)),
    ],
    ['Once: writing their index to EFS (AWS)', money(written * prices.prices.fileWriteGb.usd)],
  ];
}

function loadRows(): string[][] {
  const { chats, searches, otherRequests, runs, savedFiles } = load.perPersonAndDay;
  const { run } = load;
  return [
    ['Days per month, and hours per day', `${load.workdays}, ${load.hoursPerDay}`],
    [
      'Per person and day',
      `${chats} chats, ${searches} searches, ${otherRequests} other requests, ${runs} agent runs`,
    ],
    ['A chat', `${load.chatSeconds} s`],
    [
      'An agent run',
      `${run.seconds} s, ${run.steps} steps, ${run.commands} commands of ${run.commandSeconds} s, ${run.newEnvironments} new environments`,
    ],
    [
      'Workspaces per person',
      `${load.workspacesPerPerson}, of which ${load.activeWorkspacesPerPersonAndDay} are used per day; ${load.secretsPerHundredWorkspaces} in 100 have a secret for an MCP server`,
    ],
    [
      'A workspace',
      `${load.filesPerWorkspace} files of ${load.bytesPerFile / 1000} KB with ${load.passagesPerFile} passages each, ${count(load.dimensions)} dimensions`,
    ],
    [
      'Changed files per day',
      `${load.changedShareOfFilesPerDay * 100}% of all: ${savedFiles} per person one by one, ${load.savesPerMaintenance} before a maintenance; the others ${load.filesPerBatch} at once`,
    ],
  ];
}

/** What a change of the stage, or of the load, saves. */
function leverRows(resources: StageResources): string[][] {
  const without = (types: string[]) => {
    const kept = Object.entries(resources.counts).filter(([type]) => !types.includes(type));
    return { ...resources, counts: Object.fromEntries(kept) };
  };
  const inBucket = { ...resources, indexInBucket: true, indexIsBackedUp: false };
  const levers: [string, StageResources, Load][] = [
    [
      '`NETWORK: given`, with a route out that costs nothing more',
      without(['AWS::EC2::NatGateway', 'AWS::EC2::EIP']),
      load,
    ],
    ['`VECTORS: s3`', inBucket, load],
    ['`VECTORS: s3` with `BUCKET_BACKUP: daily`', { ...inBucket, bucketIsBackedUp: true }, load],
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

interface Reached {
  people: number;
  name: string;
  change: string;
}

/** Limits and queues, the one that is reached first on top. */
function reachedOf(resources: StageResources): Reached[] {
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
  return [...limits, ...queues].sort((a, b) => a.people - b.people);
}

function limitRows(all: Reached[]): string[][] {
  const far = all.filter(({ people }) => people > MANY_PEOPLE);
  const near = all.filter(({ people }) => people <= MANY_PEOPLE);
  return [
    ...near.map(({ people, name, change }) => [`${rounded(people)} people`, name, change]),
    [`Over ${count(MANY_PEOPLE)}`, farNames(far), 'Nothing'],
  ];
}

const PARTITION = /^DynamoDB partition (`.*`):.*/;

/** Partitions together, because there are many. */
function farNames(far: Reached[]): string {
  const partitions = new Set(far.flatMap(({ name }) => PARTITION.exec(name)?.[1] ?? []));
  const others = far.map(({ name }) => name).filter((name) => !PARTITION.test(name));
  return [...others, `other DynamoDB partitions (${[...partitions].join(', ')})`].join('; ');
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
    `${decimals(perSecond(requestsOf(work)))} requests per second, ${decimals(concurrency)} executions at once; per minute ${decimals(60 * perSecond(work.chats + work.runs * load.run.steps))} model calls and ${decimals((60 * perSecond(work.changedFiles) * load.passagesPerFile * load.tokens.passage) / 1e6)} million embedded tokens`,
    used.join('; '),
    waiting.length > 0 ? waiting.join('; ') : 'None over a second',
  ];
}

/** The changes for all that such a team reaches. */
function changesFor(all: Reached[], people: number): string {
  const reached = all.filter((each) => each.people < people);
  const changes = reached.map(({ change }) => change.replace(/,? within .*/, ''));
  return [...new Set(changes)].filter((change) => !change.startsWith('Nothing')).join('; ') || 'Nothing';
}

const OPERATIONS = {
  chat: 'A chat with an ID, as the console starts it',
  search: 'A search',
  saved: 'A saved file, with its indexing and commit',
  run: 'An agent run of 12 steps with 8 commands, with its indexing',
  other: 'Browsing a folder',
  tick: 'A tick of the scheduler',
} as const;

const WAITING = { chat: 'Each second of such a chat', run: 'Each second of a run' };

function callRows(): string[][] {
  const waits = (['chat', 'run'] as const).map((operation) => {
    const { reads, writes } = measured.perSecond[operation];
    return [WAITING[operation], String(reads), String(writes), '0', ''];
  });
  const counted = Object.entries(OPERATIONS).map(([operation, name]) => {
    const { reads, writes, messages, functions } = measured.calls[operation as keyof typeof OPERATIONS];
    const called = Object.entries(functions).map(([fn, times]) =>
      times === 1 ? fn : `${fn} ${times} times`,
    );
    return [name, String(reads), String(writes), String(messages), called.join(', ')];
  });
  return [...counted, ...waits];
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
