import * as z from 'zod';

const MAX_COMMAND = 4096;
const MAX_CWD = 4096;

/** A path that the system can open. */
export const cwdField = z
  .string()
  .min(1)
  .max(MAX_CWD, { abort: true })
  .refine((cwd) => !cwd.includes('\0'), 'must not contain NUL')
  .meta({ pattern: '^[^\\u0000]+$' });

export const execSchema = z.strictObject({
  command: z
    .string()
    .min(1)
    .max(MAX_COMMAND, { abort: true })
    .refine((command) => !command.includes('\0'), 'must not contain NUL')
    .meta({
      pattern: '^[^\\u0000]+$',
      description: "Command line. It is run by bash, or by sh if bash isn't installed.",
    }),
  cwd: cwdField.describe(
    'Working directory inside WORKSPACE_ROOTS. A relative path starts at the first root.',
  ),
});

export const execResultSchema = z
  .object({
    stdout: z.string().describe('Standard output of the command.'),
    stderr: z.string().describe('Standard error of the command.'),
    exitCode: z.number().int().describe('Exit code: 124 after the time limit, or 128 + n after signal n.'),
    cwd: z.string().describe('Directory in which the command ended, if it is still inside the roots.'),
    timedOut: z.boolean().describe('Whether the command was stopped at its time limit.'),
    truncated: z.boolean().describe('Whether stdout or stderr was truncated at 1 MB.'),
  })
  .meta({ id: 'CommandResult' });
export type ExecResult = z.infer<typeof execResultSchema>;
