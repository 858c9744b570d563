import { runJest } from './run-jest.ts';
import { startDynamodbLocal } from './servers/dynamodb-local.ts';
import { startLocalstack } from './servers/localstack.ts';
import { startMinistack } from './servers/ministack.ts';
import type { Server } from './servers/process.ts';

/**
 * The AWS adapters against emulators: starts the emulators in parallel on loopback, runs test/aws with their
 * URLs, stops them, and exits with Jest's code. Arguments are passed to Jest.
 */
const started = performance.now();
// An exit, unlike a signal alone, lets test/lanes/servers/process.ts stop the servers.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const results = await Promise.allSettled([
  starting('DynamoDB Local', startDynamodbLocal()),
  starting('LocalStack', startLocalstack()),
  starting('MiniStack', startMinistack()),
]);
const servers = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
process.exitCode = await stopAll(
  servers.length === results.length ? await runTests(servers) : reportFailures(),
);

async function starting(name: string, server: Promise<Server>): Promise<Server> {
  const { url, stop } = await server;
  say(`${name} at ${url}`);
  return { url, stop };
}

async function runTests([dynamodb, localstack, ministack]: Server[]): Promise<number> {
  const variables = {
    DYNAMODB_URL: dynamodb?.url,
    LOCALSTACK_URL: localstack?.url,
    MINISTACK_URL: ministack?.url,
  };
  // Three workers, even on two cores, because the tests mostly wait, one of them a minute for its schedule.
  const code = await runJest('test/aws', variables, ['--maxWorkers=3']);
  say(`tests ended with code ${code}`);
  return code;
}

function reportFailures(): number {
  for (const result of results) if (result.status === 'rejected') console.error(String(result.reason));
  return 1;
}

async function stopAll(code: number): Promise<number> {
  await Promise.all(servers.map(({ stop }) => stop()));
  say('stopped');
  return code;
}

function say(what: string): void {
  console.error(`${((performance.now() - started) / 1000).toFixed(1)} s: ${what}`);
}
