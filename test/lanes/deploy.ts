import { resolve } from 'node:path';
import { runJest } from './run-jest.ts';
import { installAwsCli } from './servers/aws-cli.ts';
import { runCommand } from './servers/install.ts';
import { startMinistack } from './servers/ministack.ts';

/**
 * The packaged stacks, deployed: packages the service, starts MiniStack on loopback, and runs test/deploy, which deploys them
 * there, upgrades from the one stack of release 1.0, removes, and drives the service over API Gateway. One file after another,
 * for they share the stage. Ends with jest's code. Arguments go to jest.
 */
const ROOT = resolve(import.meta.dirname, '../..');
const started = performance.now();
// An exit, unlike the signal alone, lets test/lanes/servers/process.ts end the server.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const packaged = runCommand(process.execPath, ['infra/package.ts', 'package', '--stage', 'test'], {
  cwd: ROOT,
});
const [, ministack, awsCli] = await Promise.all([packaged, startMinistack(), installAwsCli()]);
say(`the service is packaged, MiniStack answers at ${ministack.url}`);
const servers = { MINISTACK_URL: ministack.url, AWS_CLI_PYTHON: awsCli };
process.exitCode = await runJest('test/deploy', servers, ['--runInBand']);
say(`tests ended with code ${process.exitCode}`);
await ministack.stop();
say('stopped');

function say(what: string): void {
  console.error(`${((performance.now() - started) / 1000).toFixed(1)} s: ${what}`);
}
