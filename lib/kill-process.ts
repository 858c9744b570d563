/**
 * Ends the process immediately. For a process whose parent is dead or restarts it regardless of the exit code, because
 * `process.exit()` may never return (infra/end-process.ts).
 */
export function killProcess(): never {
  process.kill(process.pid, 'SIGKILL');
  return process.exit(); // If the process is the first in a container, its own signals don't end it.
}
