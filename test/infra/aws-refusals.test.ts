import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { LIMITS } from '../package/aws-limits.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const page = read('docs/architecture/aws-refusals.md');
/** Texts that continue on the next line are joined. */
const emulator = ['aws_refusals', 'ministack_api']
  .map((name) => read(`test/lanes/servers/${name}.py`).replace(/"\s*\n\s*f?"/g, ''))
  .join('\n');

function rowsOf(heading: string): string[][] {
  const [, section = ''] = page.split(`## ${heading}\n`);
  const lines = section.split('\n## ')[0]?.split('\n') ?? [];
  const rows = lines.filter((line) => line.startsWith('| ')).slice(1);
  return rows.map((row) => row.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')));
}

describe('docs/architecture/aws-refusals.md', () => {
  const refused = rowsOf('Refused by the emulator');
  const limits = rowsOf('Checked on the packaged templates');

  it('has the text of each rejection of the emulator, and no other text', () => {
    const texts = refused.map(([text = '']) => text.replaceAll('`', ''));
    expect(texts.filter((text) => !emulator.includes(text))).toEqual([]);
    const refusals = [...emulator.matchAll(/(?:Refused\(|return)\s*\(?\s*f?"([^"]+)"/g)].map(
      ([, own]) => own,
    );
    expect(refusals.filter((own) => !texts.some((text) => own?.includes(text)))).toEqual([]);
  });

  it('has each limit of the packaged templates, and no other limit', () => {
    expect(limits.map(([limit]) => limit)).toEqual(Object.keys(LIMITS));
  });

  it('names a source for each rejection', () => {
    const without = [...refused, ...limits].filter((row) => !row.at(-1)?.includes('](https://'));
    expect(without).toEqual([]);
  });
});
