import { processCommands } from '../../../lib/adapters/process/commands.ts';
import { unsandboxed } from '../../../lib/adapters/process/unsandboxed.ts';
import { sandboxesHere } from './sandboxes.ts';

/**
 * Prints the descriptors of a command in the folder of the first argument as JSON, for each sandbox and
 * without one.
 */
const folder = process.argv[2] ?? '';
const found: Record<string, string> = {};
for (const sandbox of [...(await sandboxesHere()), unsandboxed]) {
  const limits = { timeoutMs: 60_000, maxOutputBytes: 10_000 };
  const script = 'ls /proc/self/fd | sort -n | xargs; ls /proc/self/fd/77/';
  const { stdout } = await processCommands(sandbox).run({
    script,
    cwd: folder,
    writable: [folder],
    ...limits,
  });
  found[sandbox.kind] = stdout;
}
console.log(JSON.stringify(found));
