import { runJest } from './run-jest.ts';
import slowSuites from './slow-suites.json' with { type: 'json' };

/**
 * Suites that start many processes or use a core for at least five seconds: both Git adapters, commands,
 * kills, bombs, races, large downloads.
 */
const namesPaths = process.argv.slice(2).some((argument) => !argument.startsWith('-'));
process.exitCode = await runJest(
  'test',
  {},
  namesPaths ? [] : [`--testPathPatterns=${slowSuites.join('|')}`],
);
