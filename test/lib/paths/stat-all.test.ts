import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import * as yaml from 'js-yaml';
import { STATS_AT_ONCE, statAll } from '../../../lib/paths/stat-all.ts';
import { tempFolder } from '../../support/temp-folder.ts';

describe('statAll', () => {
  it('returns the results in the order of the paths, without missing ones', async () => {
    const folder = await tempFolder();
    const names = Array.from({ length: 3 * STATS_AT_ONCE }, (_, n) => join(folder, String(n)));
    for (const [index, name] of names.entries())
      if (index % 5 !== 0) await writeFile(name, 'x'.repeat(index));
    const sizes = (await statAll(names)).map((stats) => stats?.size);
    expect(sizes).toEqual(names.map((_, index) => (index % 5 === 0 ? undefined : index)));
  });
});

interface ServiceFile {
  custom: Record<string, Record<string, string>>;
  functions: Record<string, { environment: string }>;
}

describe('functions that read all files of a workspace', () => {
  const file = resolve(import.meta.dirname, '../../../serverless.yml');
  const schema = yaml.CORE_SCHEMA.withTags(yaml.mergeTag);
  const { custom, functions } = yaml.load(readFileSync(file, 'utf8'), { schema }) as ServiceFile;

  it.each([
    'files',
    'git',
    'terminal',
    'agent',
    'mcp',
    'index-worker',
    'agent-worker',
    'task-worker',
    'bot-worker',
  ])('have a thread for each concurrent call: %s', (name) => {
    const [, group = ''] = /custom\.(\w+)/.exec(functions[name]?.environment ?? '') ?? [];
    expect(custom[group]?.UV_THREADPOOL_SIZE).toBe(String(STATS_AT_ONCE));
  });
});
