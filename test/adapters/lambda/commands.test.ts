import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { describe, expect, it } from '@jest/globals';
import { lambdaCommands } from '../../../lib/adapters/lambda/commands.ts';
import { InvalidInput, NotConfigured, UpstreamFailed } from '../../../lib/errors.ts';
import { describeCommands } from '../../contract/commands.contract.ts';
import { startBroughtCommands } from '../../support/brought-commands.ts';
import { startLambda } from '../../support/fakes/fake-lambda.ts';
import { tempFolder } from '../../support/temp-folder.ts';

describeCommands(
  'Lambda',
  async () => {
    const { commands, mirrors } = await startBroughtCommands();
    return { commands, folder: await tempFolder(), seen: () => mirrors[0] ?? '/none' };
  },
  { abortTakesMs: 1000 },
);

const limits = { timeoutMs: 15_000, maxOutputBytes: 1024 * 1024 };

async function start(options: Parameters<typeof startBroughtCommands>[0] = {}) {
  const root = await tempFolder();
  const started = await startBroughtCommands(options);
  const run = (script: string, more = {}) =>
    started.commands.run({ script, workspaceId: 'one', cwd: root, writable: [root], ...limits, ...more });
  return { ...started, root, run };
}

describe('lambdaCommands', () => {
  it('transfers the largest output, even if JSON escapes take six characters each', async () => {
    const { run } = await start();
    const result = await run(
      'yes | head -c 1048576 | tr "y\\n" "\\1\\2"; yes | head -c 1048576 | tr "y\\n" "\\1\\2" >&2',
    );
    expect(result.stdout).toBe('\u0001\u0002'.repeat(512 * 1024));
    expect(result.stderr).toHaveLength(1024 * 1024);
  });

  it('cleans up after each command, including rejected ones', async () => {
    let cleaned = 0;
    const { run } = await start({ cleanUp: async () => void cleaned++ });
    await run('true');
    await expect(run('a\0')).rejects.toThrow(InvalidInput);
    expect(cleaned).toBe(2);
  });

  it('reports a failed or unreachable function as 502 without its message', async () => {
    const { ports, root } = await start();
    const failing = await startLambda(async () => async () => {
      throw new Error('planted');
    });
    const nowhere = new LambdaClient({
      endpoint: 'http://127.0.0.1:9',
      region: 'eu-west-1',
      credentials: { accessKeyId: 'x', secretAccessKey: 'x' },
      maxAttempts: 1,
    });
    for (const client of [failing.client, nowhere]) {
      const command = { script: ':', cwd: root, writable: [root], ...limits };
      const run = lambdaCommands({ ...ports, client }).run(command);
      await expect(run).rejects.toThrow(UpstreamFailed);
      await expect(run).rejects.not.toThrow('planted');
    }
  });

  it('runs a command once if it was throttled at first', async () => {
    let calls = 0;
    const { run, root } = await start({
      refusal: () => (++calls < 4 ? 'TooManyRequestsException' : undefined),
    });
    expect(await run('echo once >> ran; cat ran')).toMatchObject({ stdout: 'once\n' });
    expect(await readFile(join(root, 'ran'), 'utf8')).toBe('once\n');
    expect(calls).toBe(4);
  });

  it.each(['ResourceNotReadyException', 'ENINotReadyException'])(
    'waits longer for a function that was unused for weeks than for a busy environment: %s',
    async (name) => {
      let calls = 0;
      const { run } = await start({ refusal: () => (++calls < 4 ? name : undefined), patienceMs: 1 });
      expect(await run('echo once')).toMatchObject({ stdout: 'once\n' });
      expect(calls).toBe(4);
    },
  );

  it('does not retry after any other failure, because the command may have run', async () => {
    let calls = 0;
    const { run } = await start({
      refusal: () => {
        calls += 1;
        return 'ServiceException';
      },
    });
    await expect(run(':')).rejects.toThrow(UpstreamFailed);
    expect(calls).toBe(1);
  });

  it('fails with 429 if no environment is free for long, and leaves nothing behind', async () => {
    const { run, notesFolder, store } = await start({
      refusal: () => 'TooManyRequestsException',
      patienceMs: 500,
    });
    await expect(run(':')).rejects.toMatchObject({ status: 429, headers: { 'retry-after': '5' } });
    expect(await readdir(notesFolder)).toEqual([]);
    expect(store.held.size).toBe(0);
  });

  it('does not retry after it is stopped between two attempts', async () => {
    let calls = 0;
    const stop = new AbortController();
    const { run } = await start({
      refusal: () => {
        calls += 1;
        setTimeout(() => stop.abort(new Error('stopped')), 20);
        return 'TooManyRequestsException';
      },
    });
    await expect(run(':', { signal: stop.signal })).rejects.toThrow('stopped');
    expect(calls).toBe(1);
  });

  it('refuses to run without isolated environments per workspace, unless an operator allows it', async () => {
    const { run, root } = await start({ isolated: false });
    await expect(run('touch ran')).rejects.toThrow(NotConfigured);
    await expect(run('touch ran')).rejects.toThrow('tenant isolation');
    expect(await readdir(root)).toEqual([]);
    const allowed = await start({ isolated: false, shared: true });
    expect(await allowed.run('echo ran')).toMatchObject({ stdout: 'ran\n' });
  });

  it('rejects a message for a workspace other than that of its environment', async () => {
    const { run, lambda } = await start();
    await run('true');
    const other = JSON.parse(lambda.payloads[0] ?? '') as { workspace: string };
    const { commandFunction } = await import('../../../lib/adapters/lambda/command-function.ts');
    const handle = commandFunction({ shared: true } as never);
    expect(await handle({ ...other, workspace: 'two' }, { tenantId: 'one' })).toMatchObject({
      refused: { status: 503 },
    });
  });

  it('deletes the files of a workspace before the next one uses the same environment', async () => {
    const { run, root, commands, mirrors } = await start({ isolated: false, shared: true });
    await run('echo planted > secret.txt');
    const other = await tempFolder();
    const command = { script: 'ls -A; cat secret.txt', workspaceId: 'two', ...limits };
    const seen = await commands.run({ ...command, cwd: other, writable: [other] });
    expect(mirrors).toHaveLength(1);
    expect(seen.stdout).toBe('');
    expect(await readdir(root)).toEqual(['secret.txt']);
  });
});
