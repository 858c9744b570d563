import { resolve } from 'node:path';
import { lintTemplate } from './lint-template.ts';
import { runJest } from './run-jest.ts';
import { startDynamodbLocal } from './servers/dynamodb-local.ts';
import { runCommand } from './servers/install.ts';
import { startMinistack } from './servers/ministack.ts';
import type { Server } from './servers/process.ts';
import { installRuntimeClient } from './servers/runtime-client.ts';

const ROOT = resolve(import.meta.dirname, '../..');

const started = performance.now();

/**
 * Packages the service, lints its template, starts the emulators on loopback, runs the tests of a folder on
 * the packaged functions, and exits with Jest's code. Arguments are passed to Jest.
 */
export async function runPackagedLane(folder: string): Promise<void> {
  // An exit, unlike a signal alone, lets test/lanes/servers/process.ts stop the servers.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  const results = await Promise.allSettled([
    finishing('DynamoDB Local', startDynamodbLocal()),
    finishing('MiniStack', startMinistack()),
    finishing('the runtime client', installRuntimeClient()),
    finishing('the package', packageService().then(lintTemplate)),
  ]);
  const [dynamodb, ministack] = results;
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  for (const failure of failures) console.error(String(failure));
  const variables = { DYNAMODB_URL: urlOf(dynamodb), MINISTACK_URL: urlOf(ministack) };
  process.exitCode = failures.length > 0 ? 1 : await runTests(folder, variables);
  for (const server of [dynamodb, ministack]) if (server.status === 'fulfilled') await server.value.stop();
  say('stopped');
}

async function finishing<Value>(name: string, work: Promise<Value>): Promise<Value> {
  const value = await work;
  say(`${name} is ready`);
  return value;
}

async function packageService(): Promise<void> {
  await runCommand(process.execPath, ['infra/package.ts', 'package', '--stage', 'test'], { cwd: ROOT });
}

/** One file after the other, because they measure. */
async function runTests(folder: string, variables: Record<string, string | undefined>): Promise<number> {
  const code = await runJest(folder, variables, ['--runInBand']);
  say(`tests ended with code ${code}`);
  return code;
}

function urlOf(result: PromiseSettledResult<Server>): string | undefined {
  return result.status === 'fulfilled' ? result.value.url : undefined;
}

function say(what: string): void {
  console.error(`${((performance.now() - started) / 1000).toFixed(1)} s: ${what}`);
}
