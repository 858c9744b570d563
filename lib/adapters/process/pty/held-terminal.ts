import type { IPty } from '@lydell/node-pty';
import type { Terminal } from '../../../ports/terminals.ts';
import { watchUse } from '../group-use.ts';
import { boundedInput } from './input.ts';
import type { PtyStart } from './messages.ts';
import { boundedOutput } from './output.ts';
import { foregroundOf, killTree, send } from './processes.ts';

export type SpawnPty = typeof import('@lydell/node-pty').spawn;

/** Starts a terminal in this process. */
export function holdTerminal(
  spawn: SpawnPty,
  { launch, bounds, columns, rows }: PtyStart,
  { onOutput, onEnd }: { onOutput(text: string): void; onEnd(exitCode: number): void },
): Terminal {
  const { file, args, cwd, env } = launch;
  const pty = spawn(file, args, { cwd, env, cols: columns, rows, name: 'xterm-256color' });
  const end = () => killTree(pty.pid);
  const input = boundedInput(descriptorOf(pty));
  const output = boundedOutput(pty, onOutput);
  const endWatch = bounds === undefined ? undefined : watchUse(pty.pid, bounds, end);
  /** The shell's own process group. It is in the foreground at the first prompt. */
  let shell: number | undefined;
  pty.onData((text) => {
    shell ??= foregroundOf(pty.pid);
    output.add(text);
  });
  pty.onExit(({ exitCode, signal = 0 }) => {
    endWatch?.();
    input.end();
    output.end();
    onEnd(signal > 0 ? 128 + signal : exitCode);
  });
  const kill = (group: number) => group !== shell && send(-group, 'SIGKILL');
  return {
    write: input.write,
    resize: (size) => pty.resize(size.columns, size.rows),
    read: output.read,
    end,
    signal(signal, killAfterMs) {
      const group = foregroundOf(pty.pid);
      if (group === undefined) return;
      if (signal === 'KILL') kill(group);
      else send(-group, `SIG${signal}`);
      if (killAfterMs !== undefined) setTimeout(kill, killAfterMs, group);
    },
  };
}

/** Returns the terminal's file descriptor, which the package has but doesn't declare. */
function descriptorOf(pty: IPty): number {
  return (pty as IPty & { fd: number }).fd;
}
