import * as z from 'zod';

const MAX_COMMAND = 4096;
const MAX_CWD = 4096;

export const execSchema = z.strictObject({
  command: z
    .string()
    .min(1)
    .max(MAX_COMMAND, { abort: true })
    .refine((command) => !command.includes('\0'), 'must not contain NUL')
    .meta({ pattern: '^[^\\u0000]+$', description: 'run by bash, or by sh where there is no bash' }),
  cwd: z
    .string()
    .min(1)
    .max(MAX_CWD, { abort: true })
    .refine((cwd) => !cwd.includes('\0'), 'must not contain NUL')
    .meta({
      pattern: '^[^\\u0000]+$',
      description: 'inside WORKSPACE_ROOTS; a relative one lies under the first of them',
    }),
});

export const execResultSchema = z
  .object({
    stdout: z.string(),
    stderr: z.string(),
    exitCode: z.number().int().describe('124 after the time limit, 128 + n after signal n'),
    cwd: z.string().describe('where the command ended, if that is still inside the roots'),
    timedOut: z.boolean(),
    truncated: z.boolean().describe('stdout or stderr was cut at 1 MB'),
  })
  .meta({ id: 'CommandResult' });
export type ExecResult = z.infer<typeof execResultSchema>;
