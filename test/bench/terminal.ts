import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { processCommands } from '../../lib/adapters/process/commands.ts';
import { findSandbox } from '../../lib/adapters/process/find-sandbox.ts';
import { startGroup } from '../../lib/adapters/process/runner-client.ts';
import { unsandboxed } from '../../lib/adapters/process/unsandboxed.ts';
import type { Commands } from '../../lib/ports/commands.ts';
import { startService } from '../support/service.ts';
import { createWorkspace } from '../support/sync.ts';
import { measureLoad, percentile, timedEach } from './load.ts';
import { type BenchRow, ms, perSecond } from './table.ts';
import { benchFlood } from './terminal-flood.ts';

/** Measures commands over HTTP under load, and the overhead of the sandbox per command. */
export async function benchTerminal(): Promise<BenchRow[]> {
  const service = await startService({ LOG_LEVEL: 'warn' });
  try {
    const workspaceId = await createWorkspace(service, 'terminal');
    const cwd = await realpath(join(service.root, 'terminal'));
    const exec = async () =>
      void (await service.call('POST', '/api/terminal/exec', { command: 'true', cwd }));
    await measureLoad(exec, { concurrency: 10, seconds: 1 });
    const load = await measureLoad(exec, { concurrency: 10, seconds: 5 });
    const { sandbox } = await findSandbox({ network: 'none', hidden: [] });
    const folder = join(service.root, 'cost');
    await mkdir(folder);
    const [inside, bare] = [sandbox, unsandboxed].map((it) => processCommands(it, startGroup)) as [
      Commands,
      Commands,
    ];
    const cost = (await typicalMs(inside, folder)) - (await typicalMs(bare, folder));
    return [
      {
        measure: `terminal \`true\`, 10 at once (${sandbox.kind})`,
        ours: perSecond(load.perSecond),
        baseline: '58/s',
        aim: 'over 150/s',
        met: load.perSecond > 150,
      },
      {
        measure: 'what the sandbox costs a command, p50',
        ours: ms(cost),
        baseline: `bare shell ${ms(await typicalMs(bare, folder))}`,
        aim: 'under 20 ms',
        met: cost < 20,
      },
      ...(await benchFlood(service, workspaceId)),
    ];
  } finally {
    await service.stop();
  }
}

async function typicalMs(commands: Commands, folder: string): Promise<number> {
  const command = { script: 'true', cwd: folder, writable: [folder], timeoutMs: 5000, maxOutputBytes: 1000 };
  return percentile(await timedEach(60, () => commands.run(command)), 0.5);
}
