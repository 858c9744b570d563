import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const root = resolve(import.meta.dirname, '../..');
const sources = new Map(
  globSync('lib/**/*.ts', { cwd: root }).map((path) => [path, readFileSync(join(root, path), 'utf8')]),
);

function filesWith(pattern: RegExp): string[] {
  return [...sources].flatMap(([path, text]) => (pattern.test(text) ? [path] : [])).sort();
}

/**
 * Each mechanism of a distributed system exists once. Files that look similar are listed here with the
 * difference.
 */
describe('lib contains once:', () => {
  it('lease', () => {
    expect(filesWith(/\bleasesOf\(/)).toEqual([
      'lib/bots/work/chat-lease.ts',
      'lib/conversations/turn/lease.ts',
      'lib/datasets/download/write-lease.ts',
      'lib/indexing/commit/only-writer.ts',
      'lib/indexing/watch/schema.ts',
      'lib/mcp-servers/headers.ts',
      'lib/notes/report-claims.ts',
      'lib/runs/lease.ts',
      'lib/sources/work.ts',
      'lib/tasks/work-items.ts', // runs, and their parts
    ]);
    const withOwner = filesWith(/\bowner: z\.string\(\)/);
    expect(withOwner.filter((path) => !filesWith(/\bleasesOf\(/).includes(path))).toEqual([
      'lib/bots/schema.ts',
      'lib/datasets/download/records.ts',
      'lib/memories/schema.ts', // whose facts they are
      'lib/runs/schema.ts',
      'lib/sources/schema.ts',
      'lib/tasks/parts.ts',
      'lib/tasks/schema.ts',
    ]);
  });

  it('timer that repeats work', () => {
    expect(filesWith(/\bsetInterval\(/)).toEqual([
      'lib/adapters/git/bounds.ts', // checks a folder's size
      'lib/adapters/lambda/signed-transfer.ts', // checks whether a transfer makes progress
      'lib/adapters/process/group-use.ts', // checks a process group's memory
      'lib/agent/undo/workspace-copy.ts', // marks that a command is running
      'lib/async/repeat.ts',
      'lib/datasets/manifest/manifest.ts', // writes spaces, so that a response starts
      'lib/http/event-stream.ts', // writes comments, so that a connection stays open
      'lib/indexing/watch/watch-workspaces.ts', // its end waits for the last heartbeat
    ]);
  });

  it('search for overdue work', () => {
    const tick = readFileSync(join(root, 'functions/scheduler/handler.ts'), 'utf8');
    const reapers = [...tick.matchAll(/from '\.\.\/\.\.\/(lib\/(?!wiring|config|log|ports)[^']+)'/g)].map(
      ([, path]) => path ?? '',
    );
    const others = reapers.filter((path) => !sources.get(path)?.includes('leases/due.ts'));
    expect(others.sort()).toEqual([
      'lib/indexing/renew-indexes.ts', // visits all workspaces, once per release
    ]);
  });

  it('optimistic update', () => {
    expect(filesWith(/for \(let (\w+) = 0; \1 < MAX_(?:TRIES|ATTEMPTS|SETTLE_ATTEMPTS)/)).toEqual([
      'lib/papers/shared-rate-limiter.ts', // gives up silently: its slots also expire
      'lib/quotations/checks/document.ts', // writes notes and answers, from two collections
      'lib/records/change.ts',
    ]);
  });
});
