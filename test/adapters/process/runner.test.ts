import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { startService } from '../../support/service.ts';
import { eventually } from '../../support/sync.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const onLinux = process.platform === 'linux' ? describe : describe.skip;

async function start() {
  const service = await startService({ PROVIDER_A_API_KEY: 'planted' });
  const { root } = await makeWorkspace(service);
  const exec = (command: string) => service.call('POST', '/api/terminal/exec', { command, cwd: root });
  return { service, exec };
}

/** Returns the process next to the service that starts its commands. */
function runnerOf(pid: number): number {
  const children = execFileSync('pgrep', ['-P', String(pid), '-f', 'runner.mjs'])
    .toString()
    .trim()
    .split('\n');
  expect(children).toHaveLength(1);
  return Number(children[0]);
}

function processesWith(text: string): string {
  const listed = execFileSync('ps', ['-eo', 'stat,args']).toString().split('\n');
  return listed.filter((line) => line.includes(text) && !line.startsWith('Z')).join('\n');
}

onLinux('process that starts commands', () => {
  it("command runner is a single process without the service's variables, and is replaced when it dies", async () => {
    const { service, exec } = await start();
    await Promise.all(Array.from({ length: 5 }, () => exec('true')));
    const first = runnerOf(service.pid);
    expect(await readFile(`/proc/${first}/environ`, 'utf8')).not.toMatch(/planted|PROVIDER|DATA_DIR/);
    const marker = `sleep 298.${process.pid}`;
    const hanging = exec(marker);
    await eventually(
      async () => processesWith(marker),
      (found) => found !== '',
    );
    process.kill(first, 'SIGKILL');
    expect((await hanging).status).toBe(500);
    expect(await exec('echo again')).toMatchObject({ status: 200, body: { stdout: 'again\n' } });
    expect(runnerOf(service.pid)).not.toBe(first);
  });

  it('command runner ends with the service, together with every command', async () => {
    const { service, exec } = await start();
    const marker = `sleep 299.${process.pid}`;
    void exec(`${marker} & setsid ${marker} & ${marker}`).catch(() => {});
    await eventually(
      async () => processesWith(marker),
      (found) => found !== '',
    );
    await service.kill();
    await eventually(
      async () => processesWith(marker),
      (found) => found === '',
    );
  });
});
