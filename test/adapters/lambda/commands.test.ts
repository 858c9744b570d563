import { randomUUID } from 'node:crypto';
import { mkdir, readdir, realpath, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { describe, expect, it } from '@jest/globals';
import { awaitCommand, sweepAbandoned } from '../../../lib/adapters/lambda/awaited-command.ts';
import { commandFunction } from '../../../lib/adapters/lambda/command-function.ts';
import { lambdaCommands } from '../../../lib/adapters/lambda/commands.ts';
import { processCommands } from '../../../lib/adapters/process/commands.ts';
import { unsandboxed } from '../../../lib/adapters/process/unsandboxed.ts';
import { InvalidInput, UpstreamFailed } from '../../../lib/errors.ts';
import { describeCommands } from '../../contract/commands.contract.ts';
import { tempFolder, whenDone } from '../../support/temp-folder.ts';

const MAX_ANSWER_BYTES = 6 * 1024 * 1024;

/** Lambda's Invoke over HTTP, as its API reference has it: the payload in, the answer or the function's error out. */
async function startLambda(
  handle: (event: unknown) => Promise<unknown>,
  isThrottled = () => false,
): Promise<LambdaClient> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    if (isThrottled()) {
      response.writeHead(429, { 'x-amzn-errortype': 'TooManyRequestsException' });
      return response.end('{"Reason":"ReservedFunctionConcurrentInvocationLimitExceeded","Type":"User"}');
    }
    try {
      const answer = JSON.stringify(await handle(JSON.parse(Buffer.concat(chunks).toString())));
      if (answer.length > MAX_ANSWER_BYTES) throw new Error('Function.ResponseSizeTooLarge');
      response.end(answer);
    } catch (error) {
      response.setHeader('x-amz-function-error', 'Unhandled');
      response.end(JSON.stringify({ errorMessage: (error as Error).message }));
    }
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  whenDone(async () => server.close());
  const client = new LambdaClient({
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: 'eu-west-1',
    credentials: { accessKeyId: 'x', secretAccessKey: 'x' },
    maxAttempts: 1,
  });
  whenDone(async () => client.destroy());
  return client;
}

/** The mount of the functions and that of the function of commands are the same folder by two names. */
async function start(cleanUp = async () => {}) {
  const root = await realpath(await tempFolder());
  const client = await startLambda(commandFunction(processCommands(unsandboxed), root, cleanUp, 50));
  return { commands: lambdaCommands(client, 'commands', [root]), root };
}

describeCommands(
  'Lambda',
  async () => {
    const { commands, root } = await start();
    await mkdir(join(root, 'workspace'));
    return { commands, folder: join(root, 'workspace') };
  },
  { abortTakesMs: 1000 },
);

describe('lambdaCommands', () => {
  const limits = { timeoutMs: 15_000, maxOutputBytes: 1024 * 1024 };

  it('carries the largest output, also where JSON writes six characters for one', async () => {
    const { commands, root } = await start();
    const script =
      'yes | head -c 1048576 | tr "y\\n" "\\1\\2"; yes | head -c 1048576 | tr "y\\n" "\\1\\2" >&2';
    const result = await commands.run({ script, cwd: root, writable: [root], ...limits });
    expect(result.stdout).toBe('\u0001\u0002'.repeat(512 * 1024));
    expect(result.stderr).toHaveLength(1024 * 1024);
  });

  it('cleans up after each command, after one that failed too', async () => {
    let cleaned = 0;
    const { commands, root } = await start(async () => void cleaned++);
    await commands.run({ script: 'true', cwd: root, writable: [root], ...limits });
    await expect(commands.run({ script: 'a\0', cwd: root, writable: [root], ...limits })).rejects.toThrow(
      InvalidInput,
    );
    expect(cleaned).toBe(2);
  });

  it('refuses what lies outside the mount, without a call', async () => {
    const { commands, root } = await start();
    const command = { script: 'true', cwd: '/usr', writable: ['/usr'], ...limits };
    await expect(commands.run(command)).rejects.toThrow(InvalidInput);
    await expect(commands.run({ ...command, cwd: root, writable: [`${root}/..`] })).rejects.toThrow(
      InvalidInput,
    );
  });

  it('tells of a function that failed, or cannot be reached, as 502 without its words', async () => {
    const root = await tempFolder();
    const failing = await startLambda(async () => {
      throw new Error('planted');
    });
    const nowhere = new LambdaClient({
      endpoint: 'http://127.0.0.1:9',
      region: 'eu-west-1',
      credentials: { accessKeyId: 'x', secretAccessKey: 'x' },
      maxAttempts: 1,
    });
    for (const client of [failing, nowhere]) {
      const run = lambdaCommands(client, 'commands', [root]).run({
        script: ':',
        cwd: root,
        writable: [root],
        ...limits,
      });
      await expect(run).rejects.toThrow(UpstreamFailed);
      await expect(run).rejects.not.toThrow('planted');
    }
  });

  it('runs a command once for which there was no place at first', async () => {
    const { root } = await start();
    let calls = 0;
    const handle = commandFunction(processCommands(unsandboxed), root, async () => {});
    const client = await startLambda(handle, () => ++calls < 4);
    const run = lambdaCommands(client, 'commands', [root]).run({
      script: 'echo once >> ran; cat ran',
      cwd: root,
      writable: [root],
      ...limits,
    });
    expect(await run).toMatchObject({ stdout: 'once\n' });
    expect(calls).toBe(4);
  });

  it('is refused with 429 when there is no place for long, and leaves nothing behind', async () => {
    const { root } = await start();
    const client = await startLambda(
      async () => {},
      () => true,
    );
    const command = { script: ':', cwd: root, writable: [root], ...limits };
    const run = lambdaCommands(client, 'commands', [root], 500).run(command);
    await expect(run).rejects.toMatchObject({ status: 429, headers: { 'retry-after': '5' } });
    expect(await readdir(join(root, '.wrs-commands'))).toEqual([]);
  });

  it('does not call again when it is stopped between two tries', async () => {
    const { root } = await start();
    let calls = 0;
    const stop = new AbortController();
    const client = await startLambda(
      async () => {},
      () => {
        calls += 1;
        setTimeout(() => stop.abort(new Error('stopped')), 20);
        return true;
      },
    );
    const command = { script: ':', cwd: root, writable: [root], ...limits, signal: stop.signal };
    await expect(lambdaCommands(client, 'commands', [root]).run(command)).rejects.toThrow('stopped');
    expect(calls).toBe(1);
  });

  it('sweeps what callers that were killed have left, not what is awaited', async () => {
    const { root } = await start();
    const left = join(root, '.wrs-commands', randomUUID());
    await mkdir(dirname(left));
    await writeFile(left, '');
    await utimes(left, 0, 0);
    const later = Date.now() + 2 * 60 * 60 * 1000;
    await sweepAbandoned(root, Date.now());
    expect(await readdir(dirname(left))).toEqual([]);
    const awaited = await awaitCommand(root);
    await sweepAbandoned(root, Date.now());
    expect(await readdir(dirname(left))).toEqual([awaited.id]);
    await sweepAbandoned(root, later);
    expect(await readdir(dirname(left))).toEqual([]);
  });
});
