import { closeSync, openSync } from 'node:fs';
import { runIsolated } from '../../lib/isolation/run-isolated.ts';
import { program } from './hostile-program.ts';

/** A service that has no descriptor left when a file is to be read, and has some again later. Says what came of it. */
const options = { timeoutMs: 10_000 };
const held: number[] = [];
try {
  for (;;) held.push(openSync('/dev/null', 'r'));
} catch {
  // that was the last
}
const without = await Promise.allSettled([1, 2, 3].map(() => runIsolated(program, 'echo', 1, options)));
for (const descriptor of held) closeSync(descriptor);
const after = await runIsolated(program, 'echo', 'again', options);
console.log(JSON.stringify([...without.map(({ status }) => status), after]));
