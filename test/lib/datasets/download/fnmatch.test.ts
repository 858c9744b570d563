import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { pathFilter } from '../../../../lib/datasets/download/fnmatch.ts';
import { cpuTimeOf } from '../../../support/processes/cpu-time.ts';

const PATTERNS = [
  '*',
  '*.json',
  'data/*',
  'data/',
  '?.txt',
  '??',
  '[abc].txt',
  '[!abc].txt',
  '[a-c]*',
  '[]]x',
  '[!]]x',
  '[',
  '[a',
  'a[',
  '[!]',
  '[]',
  '[-a]',
  '[a-]',
  '[--0]',
  '[c-a]x',
  '**/*.json',
  '*a*b*c*',
  '[^a]',
  'é*',
  '*.*',
  '.*',
  'a.b',
  '[!a-c-]',
  '[a-c-e]',
]; // prettier-ignore
const PATHS = [
  'a.txt',
  'd.txt',
  'x.json',
  'data/x.json',
  'data/a/b.json',
  '.hidden',
  'ab',
  'a',
  ']x',
  '^',
  '[a',
  'a[',
  '[',
  '-',
  'bx',
  'xaybzc',
  'été',
  '😀',
  '😀.txt',
  'a.b',
  'aXb',
  'data/',
  '[]',
  '0',
  'e',
  'A.txt',
  'a\nb',
]; // prettier-ignore

/** Returns CPython's own results, if Python is installed. The hubs' clients use it. */
function pythonAnswers(): boolean[][] | undefined {
  const script = `import fnmatch, json, sys
patterns, paths = json.loads(sys.argv[1])
print(json.dumps([[fnmatch.fnmatchcase(p, q + '*' if q.endswith('/') else q) for p in paths] for q in patterns]))`;
  try {
    return JSON.parse(execFileSync('python3', ['-c', script, JSON.stringify([PATTERNS, PATHS])]).toString());
  } catch {
    return undefined;
  }
}

describe('hub file patterns', () => {
  it("match as in Python: * crosses /, dots aren't special, and case counts", () => {
    const ours = PATTERNS.map((pattern) => PATHS.map(pathFilter([pattern], null)));
    expect(ours[1]?.[PATHS.indexOf('data/x.json')]).toBe(true);
    expect(ours[6]?.[PATHS.indexOf('A.txt')]).toBe(false);
    const theirs = pythonAnswers();
    if (theirs !== undefined) expect(ours).toEqual(theirs);
  });

  it('allow everything without patterns and nothing if none matches, and ignore patterns take precedence', () => {
    expect(pathFilter(null, null)('x')).toBe(true);
    expect(pathFilter([], null)('x')).toBe(false);
    expect(pathFilter(['*'], ['x*'])('xy')).toBe(false);
  });

  it('match any pattern in little time', async () => {
    const match = () => pathFilter([`${'*a'.repeat(300)}b`], null)('a'.repeat(4000));
    expect(await cpuTimeOf(match)).toBeLessThan(1000);
  });
});
