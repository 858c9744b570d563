import { existsSync } from 'node:fs';
import { InvalidInput } from '../../errors.ts';

/** Maximum processes and threads of one command. */
export const MAX_PROCESSES = 1024;
const MAX_FILE_KIB = 4 * 1024 * 1024;
const MAX_MEMORY_KIB = 4 * 1024 * 1024;
/** In bytes. The system accepts 128 KB in one argument. */
const MAX_SCRIPT_BYTES = 100_000;

const SHELL = ['/bin/bash', '/usr/bin/bash'].find((path) => existsSync(path)) ?? '/bin/sh';

/** The file descriptor to which the shell reports that it has started, and in which folder it ended. */
export const REPORT = 3;
export const BEGUN = 'begun ';

/**
 * Code on the line before the script, so that line numbers in its messages are off by only one. The script
 * can write to the file descriptor too, so readers reject paths outside the command's own.
 */
const REPORTING = `exec 9>&${REPORT} ${REPORT}>&-; printf '${BEGUN}' >&9; trap 'command pwd -P >&9 2>/dev/null' EXIT`;

/**
 * Closes file descriptors that the service inherited, such as the launcher's open folder, through which a
 * command could leave its sandbox. Node closes only the first of them. Shells other than bash support only
 * one digit.
 */
const CLOSING = SHELL.endsWith('/bash')
  ? `for fd in ${process.platform === 'linux' ? '/proc/self/fd/*' : '{4..1023}'}; do fd=\${fd##*/}; case $fd in [0-${REPORT}]) ;; *) eval "exec $fd>&-" ;; esac; done; unset fd`
  : 'exec 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-';

/** When memory runs out, the kernel should end commands first. Some shells support only one of -u and -p. */
const LIMITS = [
  'ulimit -c 0',
  `ulimit -f ${MAX_FILE_KIB}`,
  `ulimit -d ${MAX_MEMORY_KIB}`,
  `{ ulimit -u ${MAX_PROCESSES} || ulimit -p ${MAX_PROCESSES}; }`,
  'echo 1000 > /proc/self/oom_score_adj',
].map((command) => `${command} 2>/dev/null`);

/**
 * Returns the shell command that runs a script. In a sandbox, it first verifies that its folders are the
 * checked ones (`identities` has the format of `stat`), because another command may have replaced one with a
 * link, and a mount follows links. Sets limits only where they apply to this command alone; outside a
 * sandbox, the number of processes is counted for the whole user. Throws InvalidInput for a script that the
 * system can't accept.
 */
export function shellFor(script: string, sandboxed?: SandboxedShell): string[] {
  if (script.includes('\0'))
    throw new InvalidInput('invalid_value', "command can't contain NUL.", { field: 'command' });
  if (Buffer.byteLength(script) > MAX_SCRIPT_BYTES) {
    throw new InvalidInput(
      'invalid_value',
      `command must have at most ${MAX_SCRIPT_BYTES} bytes. Write it to a file and run the file.`,
      { field: 'command' },
    );
  }
  const before =
    sandboxed === undefined
      ? [CLOSING, REPORTING]
      : [CLOSING, checkFolders(sandboxed), ...sandboxed.prepare, REPORTING, ...LIMITS];
  return [SHELL, '-c', `${before.join('; ')}\n${script}`];
}

/** The prompt, in a form that only some shells know. */
const PROMPT = String.raw`\[\e[36m\]\w\[\e[0m\] \$ `;
const INTERACTIVE = SHELL.endsWith('/bash') ? `${SHELL} --noprofile --norc -i` : `${SHELL} -i`;

/**
 * Returns the shell command of a terminal. It does the same as `shellFor`, but without a report, and keeps
 * running.
 */
export function terminalShell(sandboxed?: SandboxedShell): string[] {
  const before =
    sandboxed === undefined ? [CLOSING] : [CLOSING, checkFolders(sandboxed), ...sandboxed.prepare, ...LIMITS];
  const prompt = SHELL.endsWith('/bash') ? `PS1=${quote(PROMPT)} PROMPT_DIRTRIM=1 ` : '';
  return [SHELL, '-c', `${before.join('; ')}; exec ${REPORT}>&-\n${prompt}exec ${INTERACTIVE}`];
}

export interface CheckedFolders {
  folders: string[];
  identities: string[];
}

/** The checks and preparations in a sandbox, before a shell's script. */
export interface SandboxedShell extends CheckedFolders {
  prepare: string[];
}

function checkFolders({ folders, identities }: CheckedFolders): string {
  const printed = `stat -c %d:%i -- ${folders.map(quote).join(' ')}`;
  return `[ "$(${printed})" = ${quote(identities.join('\n'))} ] || exit 125`;
}

/** Quotes text as a single shell word. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
