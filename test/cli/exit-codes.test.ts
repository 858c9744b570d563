import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from '@jest/globals';
import { commands } from '../../cli/all-commands.ts';
import { EXIT, EXIT_TEXTS } from '../../cli/failure.ts';
import { requireDone } from '../../cli/follow-run.ts';
import { helpOfAll } from '../../cli/help.ts';

const page = readFileSync(resolve(import.meta.dirname, '../../docs/guides/cli.md'), 'utf8');

it('exit codes are the same in the help and in the table of docs/guides/cli.md', () => {
  const rows = [...page.matchAll(/^\| (\d+) \| (.+) \|$/gm)].map(([, code, text]) => [Number(code), text]);
  const all = Object.entries(EXIT).map(([name, code]) => [code, EXIT_TEXTS[name as keyof typeof EXIT]]);
  expect(rows).toEqual(all);
  for (const [code, text] of all) expect(helpOfAll(commands)).toContain(`  ${String(code).padEnd(5)}${text}`);
});

it('docs/guides/cli.md lists every command', () => {
  for (const { name } of commands) expect(page).toMatch(new RegExp(`\`(?:wrs )?${name}[\` ]`));
});

it('unfinished run exits with its code and reports its progress', () => {
  const extent = '30 of 40 claims checked.';
  const ended = (status: string, error: string | null) => () => requireDone({ status, error }, extent);
  expect(ended('stopped', null)).toThrow(
    expect.objectContaining({ message: `The run was stopped. ${extent}`, exit: EXIT.interrupted }),
  );
  expect(ended('failed', 'It broke.')).toThrow(
    expect.objectContaining({ message: `It broke. ${extent}`, exit: EXIT.failed }),
  );
  expect(ended('done', null)()).toMatchObject({ status: 'done' });
});
