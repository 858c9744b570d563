import type { ChildProcess } from 'node:child_process';
import { NotConfigured } from '../../../errors.ts';
import { findOwnFile } from '../../../isolation/folders-above.ts';
import type { Terminal, TerminalListener } from '../../../ports/terminals.ts';
import { forkApart } from '../fork-apart.ts';
import type { PtyReply, PtyRequest, PtyStart } from './messages.ts';

/** The program, built or from source, which is always present on a single host. */
const PROGRAM =
  findOwnFile(
    import.meta.dirname,
    'lib/adapters/process/pty/program.mjs',
    'lib/adapters/process/pty/program.ts',
  ) ?? '';

interface OpenPty extends TerminalListener {
  onOpen(): void;
  onRefused(error: Error): void;
}

const open = new Map<number, OpenPty>();
let program: ChildProcess | undefined;
let latestId = 0;

/**
 * Starts a terminal in the program that holds all terminals. Throws NotConfigured if the package for
 * terminals is missing.
 */
export function startPty(start: PtyStart, listener: TerminalListener): Promise<Terminal> {
  const id = ++latestId;
  return new Promise((resolve, reject) => {
    open.set(id, { ...listener, onOpen: () => resolve(terminalOf(id)), onRefused: reject });
    send({ id, kind: 'open', start });
  });
}

function terminalOf(id: number): Terminal {
  const pass = (request: PtyRequest) => open.has(id) && send(request);
  return {
    write: (text) => void pass({ id, kind: 'write', text }),
    resize: (size) => void pass({ id, kind: 'resize', size }),
    signal: (signal, killAfterMs) => void pass({ id, kind: 'signal', signal, killAfterMs }),
    read: (characters) => void pass({ id, kind: 'read', characters }),
    end: () => void pass({ id, kind: 'end' }),
  };
}

function send(request: PtyRequest): void {
  program ??= startProgram();
  program.send(request, () => {}); // `disconnect` reports a program that has ended
}

/** Starts the program, which doesn't keep this process alive. */
function startProgram(): ChildProcess {
  const started = forkApart(PROGRAM, endAll);
  started.channel?.unref();
  started.on('message', receive);
  return started;
}

function receive(reply: PtyReply): void {
  const { id, kind } = reply;
  const pty = open.get(id);
  if (kind === 'refused' || kind === 'ended') open.delete(id);
  if (kind === 'opened') pty?.onOpen();
  else if (kind === 'output') pty?.onOutput(reply.text);
  else if (kind === 'ended') pty?.onEnd(reply.exitCode);
  else pty?.onRefused(refusal(reply));
}

function refusal({ isMissing, message }: PtyReply & { kind: 'refused' }): Error {
  if (!isMissing) return new Error(`A terminal could not be started: ${message}`);
  return new NotConfigured(
    'terminal_package_missing',
    'Terminals need the package @lydell/node-pty, which is not installed on this host. Install the service again, with optional packages.',
  );
}

/** Closes all terminals after their program ended. The next terminal starts a new program. */
function endAll(ended: ChildProcess): void {
  if (program !== ended) return;
  program = undefined;
  const lost = [...open.values()];
  open.clear();
  for (const { onRefused, onEnd } of lost) {
    onRefused(new Error('The process that holds the terminals ended.'));
    onEnd(null);
  }
}
