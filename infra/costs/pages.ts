import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readResources } from './read-resources.ts';
import { callTables, costTables, type Tables } from './tables.ts';

/** Returns the docs pages with computed tables, and these tables. */
export function computedPages(root: string, stage = 'dev'): { file: string; tables: Tables }[] {
  return [
    { file: join(root, 'docs/deploy/aws-costs.md'), tables: costTables(readResources(root, stage)) },
    { file: join(root, 'docs/deploy/aws-capacity.md'), tables: callTables() },
  ];
}

/** Returns the page with its computed tables: the first table under each heading. Throws if a page lacks one. */
export function pageWith(file: string, tables: Tables): string {
  return Object.entries(tables).reduce(replaceTable, readFileSync(file, 'utf8'));
}

function replaceTable(page: string, [heading, table]: [string, string]): string {
  const start = page.indexOf(`\n## ${heading}\n`);
  const end = page.indexOf('\n## ', start + 1);
  const section = page.slice(start, end === -1 ? undefined : end);
  const found = /(?:^\|.*\n?)+/m.exec(section)?.[0].trimEnd();
  if (start === -1 || found === undefined) throw new Error(`No table under "${heading}".`);
  return page.slice(0, start) + section.replace(found, () => table) + (end === -1 ? '' : page.slice(end));
}
