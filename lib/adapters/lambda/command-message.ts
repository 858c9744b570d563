import * as z from 'zod';

/** A command on its way to its function. Paths are relative to the root of the workspaces, which each mounts elsewhere. */
export const commandMessageSchema = z.strictObject({
  script: z.string(),
  cwd: z.string(),
  writable: z.array(z.string()).min(1),
  timeoutMs: z.number().int().positive(),
  maxOutputBytes: z.number().int().positive(),
  /** While somebody waits for the command there is a file of this name (awaited-command.ts). */
  awaited: z.uuid().optional(),
});
export type CommandMessage = z.infer<typeof commandMessageSchema>;

const doneSchema = z.object({
  /** Base64 of UTF-8: an answer has at most 6 MB, and JSON writes one control character as six. */
  stdout: z.string(),
  stderr: z.string(),
  exitCode: z.number().int(),
  timedOut: z.boolean(),
  truncated: z.boolean(),
  cwd: z.string(),
  leftPlaces: z.boolean().optional(),
});

/** What was refused is told apart from what broke: a failure of the function itself carries no answer of ours. */
export const commandAnswerSchema = z.union([
  doneSchema,
  z.object({ refused: z.object({ status: z.number().int(), message: z.string() }) }),
]);
export type CommandAnswer = z.infer<typeof commandAnswerSchema>;
