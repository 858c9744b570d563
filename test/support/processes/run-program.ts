import { execFile } from 'node:child_process';

export interface ProgramResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a program to its end; an exit code other than 0 is a result, not an error. */
export function runProgram(
  file: string,
  args: string[],
  options: { env?: NodeJS.ProcessEnv; cwd?: string; uid?: number; gid?: number } = {},
): Promise<ProgramResult> {
  return new Promise((resolve) => {
    const child = execFile(file, args, options, (_error, stdout, stderr) => {
      resolve({ code: child.exitCode ?? -1, stdout, stderr });
    });
  });
}
