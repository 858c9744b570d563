import { runJest } from './run-jest.ts';
import slowSuites from './slow-suites.json' with { type: 'json' };

/**
 * What starts many processes or takes a core for five seconds and more: both gits, commands, kills, bombs, races, large
 * downloads.
 */
const namesPaths = process.argv.slice(2).some((argument) => !argument.startsWith('-'));
process.exitCode = await runJest(
  'test',
  {},
  namesPaths ? [] : [`--testPathPatterns=${slowSuites.join('|')}`],
);
