import { runJest } from './run-jest.ts';

/** OCR with its real engine and languages, which npm downloads: 40 MB. Other arguments are passed to Jest. */
process.exitCode = await runJest('test/recognition', {}, ['--runInBand']);
