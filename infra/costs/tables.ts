import { type Item, idleItems, totalOf, useItems } from './costs.ts';
import load from './load.json' with { type: 'json' };
import measured from './measured.json' with { type: 'json' };
import type { StageResources } from './read-resources.ts';

/** Markdown tables by their heading on a docs page. */
export type Tables = Record<string, string>;

const TEAM = 200;
/** Items with a smaller share of the sum are combined in one row. */
const SMALL_SHARE = 0.01;

export function costTables(resources: StageResources): Tables {
  const idle = idleItems(resources);
  const totals = load.people.map((people) => totalOf([...idle, ...useItems(resources, people)]));
  return {
    Idle: itemTable(idle),
    'By team size': table(
      ['People', 'USD per month', 'Per person'],
      load.people.map((people, at) => [count(people), money(totals[at]), money((totals[at] ?? 0) / people)]),
    ),
    'A team of 200': itemTable([
      { name: 'Idle, as above', usd: totalOf(idle) },
      ...useItems(resources, TEAM),
    ]),
  };
}

const OPERATIONS = {
  chat: 'A chat with an ID, as the console starts it',
  search: 'A search',
  saved: 'A saved file, with its indexing and commit',
  run: 'An agent run of 12 steps with 8 commands, with its indexing',
  other: 'Browsing a folder',
  tick: 'A tick of the scheduler',
} as const;

export function callTables(): Tables {
  const rows = Object.entries(OPERATIONS).map(([operation, name]) => {
    const { reads, writes, messages, functions } = measured.calls[operation as keyof typeof OPERATIONS];
    return [name, reads, writes, messages, Object.keys(functions).join(', ')].map(String);
  });
  const titles = ['Operation', 'DynamoDB reads', 'Writes', 'Queue messages', 'Functions'];
  return { 'Calls per request': table(titles, rows) };
}

function itemTable(items: Item[]): string {
  const total = totalOf(items);
  const small = items.filter(({ usd }) => usd > 0 && usd < total * SMALL_SHARE);
  const large = items.filter(({ usd }) => usd >= total * SMALL_SHARE).sort((a, b) => b.usd - a.usd);
  const others = { name: `Others: ${small.map(({ name }) => name).join('; ')}`, usd: totalOf(small) };
  const shown = small.length > 0 ? [...large, others] : large;
  const rows = shown.map(({ name, usd }) => [name, money(usd)]);
  return table(['Item', 'USD per month'], [...rows, ['**Together**', `**${money(total)}**`]]);
}

function table(titles: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [line(titles), `|${titles.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

function money(value = 0): string {
  return value >= 100 ? count(Math.round(value)) : value.toFixed(value >= 1 ? 1 : 2);
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}
