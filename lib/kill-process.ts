/**
 * Ends the process at this line. For one whose parent is gone, or starts another whatever the exit code is: `process.exit()` may never
 * return (infra/end-process.ts).
 */
export function killProcess(): never {
  process.kill(process.pid, 'SIGKILL');
  return process.exit(); // where the process is the first of a container, which signals of its own don't end
}
