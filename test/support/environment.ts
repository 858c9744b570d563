import { TestEnvironment } from 'jest-environment-node';

// A worker that merely runs out of work takes down a heap of hundreds of modules first, for longer than jest waits for it.
process.once('beforeExit', () => process.exit());

export default TestEnvironment;
