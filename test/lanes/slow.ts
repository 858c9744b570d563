import { runJest } from './run-jest.ts';
import slowSuites from './slow-suites.json' with { type: 'json' };

/** What starts many processes or takes a core for five seconds and more: both gits, commands, kills, bombs, races, large downloads. */
process.exitCode = await runJest('test', {}, [`--testPathPatterns=${slowSuites.join('|')}`]);
