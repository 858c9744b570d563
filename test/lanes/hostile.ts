import { runJest } from './run-jest.ts';

/**
 * The long forms of test/hostile, whose short forms are part of `npm test`: more seconds of swapping, more
 * mutated files.
 */
const LONG = {
  HOSTILE_SECONDS: '20',
  HOSTILE_FILES: '10000',
};

process.exitCode = await runJest('test', LONG, ['--testPathPatterns=test/hostile/']);
