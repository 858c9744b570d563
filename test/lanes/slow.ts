import { runJest } from './run-jest.ts';
import slowSuites from './slow-suites.json' with { type: 'json' };

/**
 * The suites that take a core for 1.5 seconds and more, with the processes that they start: the service, both gits, commands, kills,
 * bombs, races, large downloads. Everyday runs stay short without them, and CI runs them all. What guards every change stays there:
 * words, crumbs, the OpenAPI document, and records of earlier releases.
 */
const namesPaths = process.argv.slice(2).some((argument) => !argument.startsWith('-'));
process.exitCode = await runJest(
  'test',
  {},
  namesPaths ? [] : [`--testPathPatterns=${slowSuites.join('|')}`],
);
