import { runJest } from './run-jest.ts';

/**
 * Runs the single-host embedder with its real runtime, which npm downloads (75 MB). Other arguments are
 * passed to Jest.
 */
process.exitCode = await runJest('test/embedder', {}, ['--runInBand']);
