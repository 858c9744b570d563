import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import type { Service } from '../support/service.ts';
import { openTestTerminal } from '../support/terminal.ts';
import { measureLoad } from './load.ts';
import { type BenchRow, ms } from './table.ts';

const SECONDS = 5;
const MB = 1024 ** 2;
/** A reader in its own process, because parsing the flood would slow the requests that are measured. */
const READER = `let n = 0; setInterval(() => console.log(n), 100);
for await (const chunk of (await fetch(process.argv[1])).body) n += chunk.length;`;

/**
 * Measures how long other requests wait while a terminal prints without end and is read as fast as the output
 * arrives.
 */
export async function benchFlood(service: Service, workspaceId: string): Promise<BenchRow[]> {
  const ask = async () => void (await service.call('GET', `/api/workspaces/${workspaceId}`));
  const measure = () => measureLoad(ask, { concurrency: 2, seconds: SECONDS });
  await measure();
  const quiet = await measure();
  const terminal = await openTestTerminal(service, workspaceId);
  await terminal.type('yes "an owl in a flood of owls, and another owl"\r');
  const reader = startReader(`${service.url}${terminal.path}/stream`);
  await pause(1_000);
  const [from, started] = [reader.bytes(), performance.now()];
  const flooded = await measure();
  const perSecond = (reader.bytes() - from) / MB / ((performance.now() - started) / 1000);
  reader.stop();
  await terminal.close();
  return [
    {
      measure: `GET a workspace while a terminal prints ${perSecond.toFixed(1)} MB/s, p99`,
      ours: ms(flooded.p99),
      baseline: `${ms(quiet.p99)} without`,
      aim: 'under 50 ms more',
      met: flooded.p99 - quiet.p99 < 50,
    },
  ];
}

function startReader(url: string) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', READER, url], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let bytes = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    bytes = Number(chunk.toString().trim().split('\n').at(-1));
  });
  return { bytes: () => bytes, stop: () => void child.kill('SIGKILL') };
}
