import { type ChildProcess, fork } from 'node:child_process';

/**
 * Starts a program of this package as a separate process: without the service's variables in its environment,
 * in its own session, and without keeping this process alive. Calls `onEnded` when it has ended.
 */
export function forkApart(program: string, onEnded: (ended: ChildProcess) => void): ChildProcess {
  const started = fork(program, [], {
    cwd: '/',
    env: {},
    execArgv: [],
    detached: true,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  started.unref();
  const ended = () => onEnded(started);
  started.once('error', ended);
  started.once('disconnect', ended);
  return started;
}
