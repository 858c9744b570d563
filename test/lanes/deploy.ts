import { cpSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { runJest } from './run-jest.ts';
import { installAwsCli } from './servers/aws-cli.ts';
import { runCommand } from './servers/install.ts';
import { startMinistack } from './servers/ministack.ts';
import { temporaryFolder } from './servers/process.ts';

/**
 * The packaged stacks, deployed: packages the service twice, starts MiniStack on loopback, and runs
 * test/deploy, which deploys both there, rolls back, removes, and calls the service over API Gateway. One
 * file after another, because they share the stage. Exits with Jest's code. Arguments are passed to Jest.
 */
const ROOT = resolve(import.meta.dirname, '../..');
const started = performance.now();
// An exit, unlike a signal alone, lets test/lanes/servers/process.ts stop the server.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const earlier = await temporaryFolder('earlier-stacks');
const [, ministack, awsCli] = await Promise.all([packageTwice(), startMinistack(), installAwsCli()]);
say(`the service is packaged, MiniStack answers at ${ministack.url}`);
const settings = { MINISTACK_URL: ministack.url, AWS_CLI_PYTHON: awsCli, EARLIER_STACKS: earlier.path };
process.exitCode = await runJest('test/deploy', settings, ['--runInBand']);
say(`tests ended with code ${process.exitCode}`);
await ministack.stop();
say('stopped');

/** Each packaging gives the API deployment another name, so a later deployment has another template. */
async function packageTwice(): Promise<void> {
  await packageService();
  cpSync(join(ROOT, '.serverless/stacks'), earlier.path, { recursive: true });
  await packageService();
}

async function packageService(): Promise<void> {
  await runCommand(process.execPath, ['infra/package.ts', 'package', '--stage', 'test'], { cwd: ROOT });
}

function say(what: string): void {
  console.error(`${((performance.now() - started) / 1000).toFixed(1)} s: ${what}`);
}
