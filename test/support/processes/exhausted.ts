import { closeSync, openSync } from 'node:fs';
import { ripgrepTextSearch } from '../../../lib/adapters/ripgrep/text-search.ts';
import { runIsolated } from '../../../lib/isolation/run-isolated.ts';
import { program } from './hostile-program.ts';

/**
 * A service that has no file descriptor left when it starts processes, and later has some again. Prints the
 * result.
 */
const { search } = ripgrepTextSearch();
const work = {
  isolated: () => runIsolated(program, 'echo', 1, { timeoutMs: 10_000 }),
  search: () =>
    search({ root: import.meta.dirname, path: '', pattern: 'exhausted', maxMatches: 1, timeoutMs: 10_000 }),
}[process.argv[2] ?? ''];
if (work === undefined) throw new Error('isolated or search?');
await import('@vscode/ripgrep');
const held: number[] = [];
try {
  for (;;) held.push(openSync('/dev/null', 'r'));
} catch {
  // That was the last descriptor.
}
const without = await Promise.allSettled([1, 2, 3].map(work));
for (const descriptor of held) closeSync(descriptor);
const after = await Promise.allSettled([work()]);
process.stdout.write([...without, ...after].map(({ status }) => status).join(' '));
