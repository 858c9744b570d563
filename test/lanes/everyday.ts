import { globSync } from 'node:fs';
import { buildService } from '../../infra/local/build.ts';
import laneSuites from './lane-suites.json' with { type: 'json' };
import { spawnJest } from './run-jest.ts';

/**
 * `npm test`: runs all suites except the slow ones and those of the lanes. With paths, runs the suites of
 * those paths, including slow ones, without a build first, because a suite that starts the service builds it.
 */
const suites = globSync('test/**/*.test.ts');
const isPath = (argument: string) =>
  !argument.startsWith('-') && suites.some((path) => path.includes(argument) || argument.endsWith(path));

if (process.argv.slice(2).some(isPath))
  process.exitCode = await spawnJest(
    {},
    ['/node_modules/', ...laneSuites].map((pattern) => `--testPathIgnorePatterns=${pattern}`),
  );
else {
  await buildService({ quiet: true });
  process.exitCode = await spawnJest({}, []);
}
