/**
 * Ends the process immediately, whatever its parent does with the exit code. `process.exit()` may never
 * return (infra/end-process.ts).
 */
export function killProcess(): never {
  process.kill(process.pid, 'SIGKILL');
  return process.exit(); // signals of a container's first process don't end it
}
