import { runJest } from './run-jest.ts';

/** Text recognition with its real engine and languages, which npm fetches: 40 MB. Other arguments go to jest. */
process.exitCode = await runJest('test/recognition', {}, ['--runInBand']);
