import { runJest } from './run-jest.ts';

/** The embedder of one machine with its real runtime, which npm fetches: 75 MB. Other arguments go to jest. */
process.exitCode = await runJest('test/embedder', {}, ['--runInBand']);
