import { TestEnvironment } from 'jest-environment-node';

// A worker that merely runs out of work takes down a heap of hundreds of modules first, for longer than jest waits for it.
process.once('beforeExit', () => process.exit());

// biome-ignore lint/style/noDefaultExport: jest asks for one
export default TestEnvironment;
