import { runJest } from './run-jest.ts';

/**
 * Runs the long forms of the datasets' tests, whose short forms are in the default and the slow suites. Other
 * arguments are passed to Jest.
 */
process.exitCode = await runJest('test/lib/datasets', { DATASETS_LONG: 'true' }, ['--runInBand']);
