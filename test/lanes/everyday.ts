import { globSync } from 'node:fs';
import { buildService } from '../../infra/local/build.ts';
import { runJest, spawnJest } from './run-jest.ts';

/**
 * `npm test`: all suites but the slow ones and those of the lanes. With paths, the suites of those paths, slow ones too, and nothing is
 * built before: a suite that starts the service builds it.
 */
const suites = globSync('test/**/*.test.ts');
const isPath = (argument: string) =>
  !argument.startsWith('-') && suites.some((path) => path.includes(argument));

if (process.argv.slice(2).some(isPath)) process.exitCode = await runJest('test', {}, []);
else {
  await buildService({ quiet: true });
  process.exitCode = await spawnJest({}, []);
}
