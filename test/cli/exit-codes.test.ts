import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from '@jest/globals';
import { commands } from '../../cli/all-commands.ts';
import { EXIT, EXIT_TEXTS } from '../../cli/failure.ts';
import { helpOfAll } from '../../cli/help.ts';

const page = readFileSync(resolve(import.meta.dirname, '../../docs/guides/cli.md'), 'utf8');

it('every exit code is in the help and in the table of docs/guides/cli.md, and no other', () => {
  const rows = [...page.matchAll(/^\| (\d+) \| (.+) \|$/gm)].map(([, code, text]) => [Number(code), text]);
  const all = Object.entries(EXIT).map(([name, code]) => [code, EXIT_TEXTS[name as keyof typeof EXIT]]);
  expect(rows).toEqual(all);
  for (const [code, text] of all) expect(helpOfAll(commands)).toContain(`  ${String(code).padEnd(5)}${text}`);
});

it('docs/guides/cli.md names every command', () => {
  for (const { name } of commands) expect(page).toMatch(new RegExp(`\`(?:wrs )?${name}[\` ]`));
});
