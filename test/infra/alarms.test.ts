import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readServiceFile } from '../../infra/local/service-file.ts';

const root = resolve(import.meta.dirname, '../..');

/** Returns the first column of the page's table. */
function alarmsOfPage(): string[] {
  const page = readFileSync(join(root, 'docs/operate/alarms.md'), 'utf8');
  const cells = [...page.matchAll(/^\| ([A-Z]\w+(?:, [A-Z]\w+)*) \|/gm)].map(([, cell = '']) => cell);
  return cells.slice(1).flatMap((cell) => cell.split(', '));
}

describe('docs/operate/alarms.md', () => {
  it('describes what to do for each alarm, once', () => {
    const { resources } = readServiceFile(join(root, 'serverless.yml'));
    const alarms = Object.entries(resources).filter(([, { Type }]) => Type === 'AWS::CloudWatch::Alarm');
    const names = alarms.map(([id]) => id.replace(/Alarm$/, ''));
    expect(alarmsOfPage().sort()).toEqual(names.sort());
  });
});
