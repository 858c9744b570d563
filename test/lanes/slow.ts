import { runJest } from './run-jest.ts';
import slowSuites from './slow-suites.json' with { type: 'json' };

/** What takes a core for ten seconds and more: both gits against a real remote, kills, bombs, races, large downloads. */
process.exitCode = await runJest('test', {}, [`--testPathPatterns=${slowSuites.join('|')}`]);
