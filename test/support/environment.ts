import { TestEnvironment } from 'jest-environment-node';

endAtOnce();

/**
 * Also cleans up after a file that failed before its first test, because jest then runs no hooks, and its
 * servers would stay open.
 */
// biome-ignore lint/style/noDefaultExport: jest asks for one
export default class extends TestEnvironment {
  override async setup(): Promise<void> {
    await super.setup();
    this.global.BroadcastChannel = IdleChannel;
  }

  override async teardown(): Promise<void> {
    const { cleanUpTests } = this.global as { cleanUpTests?: () => Promise<void> };
    await cleanUpTests?.();
    await super.teardown();
  }
}

/**
 * A page ends with its tab, but a process would stay because of a channel that a module of the console opens.
 */
class IdleChannel extends BroadcastChannel {
  constructor(name: string) {
    super(name);
    this.unref();
  }
}

/**
 * Without this, a worker that runs out of work first frees a heap of hundreds of modules and the threads of
 * native libraries, for longer than the half second after which Jest reports open handles. A worker with a
 * real open handle never exits: Jest still reports it.
 */
function endAtOnce(): void {
  if (!process.argv[1]?.endsWith('processChild.js')) return;
  process.once('beforeExit', () => process.exit());
  process.once('exit', () => process.kill(process.pid, 'SIGKILL'));
}
