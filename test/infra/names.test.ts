import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const root = resolve(import.meta.dirname, '../..');
const EXPORTED = /^export (?:async )?(?:function\*?|const|interface|type|class) +(\w+)/gm;

/** The same concept in each file: one side of a port, or a name that every area uses. */
const SAME_THING = new Set([
  'CloneWork',
  'DUE',
  'LEASE_MS',
  'RepoType',
  'SkillInstructions',
  'switchTo',
  'commitIndex',
  'cutApprovals',
  'diffOf',
  'duePlace',
  'logOf',
  'program',
  'pullInto',
  'pushBranch',
  'restoreFiles',
  'stagePaths',
  'unstagePaths',
]);

function filesByName(): Map<string, string[]> {
  const files = globSync('lib/**/*.ts', { cwd: root });
  const found = files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(EXPORTED)].map(([, name = '']) => ({ file, name })),
  );
  return new Map(
    [...Map.groupBy(found, ({ name }) => name)].map(([name, each]) => [name, each.map(({ file }) => file)]),
  );
}

describe('name that lib exports', () => {
  it('has one meaning, and two files export it only for the same thing', () => {
    const names = filesByName();
    expect(names.size).toBeGreaterThan(1000);
    const several = [...names].filter(([name, files]) => files.length > 1 && !SAME_THING.has(name));
    expect(several).toEqual([]);
  });
});
