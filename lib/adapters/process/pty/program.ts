import { setPriority } from 'node:os';
import { killProcess } from '../../../kill-process.ts';
import type { Terminal } from '../../../ports/terminals.ts';
import { NICENESS } from '../process-group.ts';
import { holdTerminal, type SpawnPty } from './held-terminal.ts';
import type { PtyReply, PtyRequest, PtyStart } from './messages.ts';

/**
 * The program behind client.ts. It holds all terminals, so that a flood of output is limited outside the
 * service's own process. The terminals end with the service.
 */
const open = new Map<number, Terminal>();

setPriority(NICENESS); // child processes inherit it

process.on('message', async (request: PtyRequest) => {
  if (request.kind === 'open') return openTerminal(request.id, request.start);
  const terminal = open.get(request.id);
  if (terminal !== undefined) pass(terminal, request);
});
process.on('disconnect', () => {
  for (const terminal of open.values()) terminal.end();
  killProcess();
});

async function openTerminal(id: number, start: PtyStart): Promise<void> {
  const spawn = await loadSpawn();
  if (spawn === undefined) return reply({ id, kind: 'refused', message: '', isMissing: true });
  try {
    const terminal = holdTerminal(spawn, start, {
      onOutput: (text) => reply({ id, kind: 'output', text }),
      onEnd(exitCode) {
        open.delete(id);
        reply({ id, kind: 'ended', exitCode });
      },
    });
    open.set(id, terminal);
    reply({ id, kind: 'opened' });
  } catch (error) {
    reply({ id, kind: 'refused', message: (error as Error).message, isMissing: false });
  }
}

/** Undefined if the optional package has no build for this system, or isn't installed. */
async function loadSpawn(): Promise<SpawnPty | undefined> {
  const loaded = await import('@lydell/node-pty').catch(() => undefined);
  return loaded?.spawn;
}

function pass(terminal: Terminal, request: Exclude<PtyRequest, { kind: 'open' }>): void {
  if (request.kind === 'write') terminal.write(request.text);
  else if (request.kind === 'resize') terminal.resize(request.size);
  else if (request.kind === 'signal') terminal.signal(request.signal, request.killAfterMs);
  else if (request.kind === 'read') terminal.read(request.characters);
  else terminal.end();
}

function reply(message: PtyReply): void {
  if (process.connected) process.send?.(message);
}
