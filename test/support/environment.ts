import { TestEnvironment } from 'jest-environment-node';

// A worker that merely runs out of work takes down a heap of hundreds of modules first, for longer than jest waits for it.
process.once('beforeExit', () => process.exit());

/** Cleans up after a file that failed before its first test, too: jest runs no hooks then, and its servers stay open. */
// biome-ignore lint/style/noDefaultExport: jest asks for one
export default class extends TestEnvironment {
  override async teardown(): Promise<void> {
    const { cleanUpTests } = this.global as { cleanUpTests?: () => Promise<void> };
    await cleanUpTests?.();
    await super.teardown();
  }
}
