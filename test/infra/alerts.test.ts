import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { load } from 'js-yaml';
import { hostMetrics } from '../../lib/system/host-metrics.ts';
import { EVENTS } from '../../lib/telemetry/events.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

const rules = (load(read('infra/monitoring/alerts.yml')) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  (group) => group.rules,
);
interface Rule {
  alert: string;
  expr: string;
}
const panels = (JSON.parse(read('infra/monitoring/dashboard.json')) as { panels: Panel[] }).panels;
interface Panel {
  targets: { expr: string }[];
}
const page = read('docs/operate/what-to-alert-on.md');

const metrics = await hostMetrics({
  version: '1.0.0',
  folders: [root],
  measureQueues: () => [],
  measureData: async () => ({ parts: [], isComplete: true }),
  silentSyncs: async () => [],
  measureUse: async () => ({ tokens: 0, costUsd: 0, budgets: [] }),
  lastBackup: async () => undefined,
});
/** `up` is Prometheus's own metric. */
const known = new Set(['up', ...metrics.map(({ name }) => name)]);

function unknownIn(expressions: string[]): string[] {
  const names = expressions.flatMap((text) => text.match(/\b(?:wrs|process)_\w+|\bup\b/g) ?? []);
  const events = expressions.flatMap((text) =>
    [...text.matchAll(/event=~?"([^"]+)"/g)].flatMap(([, found = '']) => found.split('|')),
  );
  return [...names.filter((name) => !known.has(name)), ...events.filter((event) => !(event in EVENTS))];
}

describe('alert rules', () => {
  it('name existing metrics and events', () => {
    expect(unknownIn(rules.map(({ expr }) => expr))).toEqual([]);
    for (const { expr } of rules) expect(expr).toMatch(/wrs_|process_|up\{/);
  });

  it('are the rows of docs/operate/what-to-alert-on.md', () => {
    const rows = [...page.matchAll(/^\| ([A-Z][a-z]+[A-Z]\w+) \|/gm)].map(([, name]) => name);
    expect(rows).toEqual(rules.map(({ alert }) => alert));
  });
});

describe('dashboard', () => {
  it('names existing metrics and events', () => {
    const expressions = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
    expect(expressions.length).toBeGreaterThan(10);
    expect(unknownIn(expressions)).toEqual([]);
  });
});

describe('docs/operate/what-to-alert-on.md', () => {
  it('has each event with its level', () => {
    const rows = page.split('\n').filter((line) => /^\| [A-Z][a-z]+[A-Z]/.test(line));
    const described = rows.flatMap((row) => {
      const [, , events = '', levels = ''] = row.split('|').map((cell) => cell.trim());
      const names = [...events.matchAll(/`([a-z_]+)`/g)].map(([, name = '']) => name);
      const each = levels.split(', ');
      return levels === '' ? [] : names.map((name, at) => [name, each[at] ?? each[0]]);
    });
    expect(Object.fromEntries(described)).toEqual(EVENTS);
  });

  it('has each metric', () => {
    const missing = metrics.filter(({ name }) => !name.startsWith('process_') && !page.includes(name));
    expect(missing.map(({ name }) => name)).toEqual([]);
  });
});
