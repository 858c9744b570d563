import { runJest } from './run-jest.ts';
import slowSuites from './slow-suites.json' with { type: 'json' };

/**
 * What starts many processes or takes a core for five seconds and more: both gits, commands, kills, bombs, races, large downloads.
 * Of these only the files that are named, where any are.
 */
const named = process.argv.slice(2).some((argument) => /\.ts$|\//.test(argument));
process.exitCode = await runJest('test', {}, named ? [] : [`--testPathPatterns=${slowSuites.join('|')}`]);
