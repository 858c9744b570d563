import * as z from 'zod';
import type { ErrorCode } from '../error-codes.ts';
import { timestampSchema } from '../ports/clock.ts';
import { TERMINAL_SIGNALS } from '../ports/terminals.ts';
import { cwdField } from './schema.ts';

/** The error codes of a request that names a session. */
export const SESSION_ERRORS = [
  'terminal_session_not_found',
  'workspace_access_denied',
  'workspace_not_found',
  'workspace_unsafe',
] as const satisfies ErrorCode[];

/** Characters of one input. A longer paste must be sent as several. */
const MAX_INPUT = 65_536;
const MAX_KILL_AFTER_MS = 10_000;

const sizeFields = {
  columns: z.int().min(2).max(1000).describe('Columns of the terminal.'),
  rows: z.int().min(1).max(500).describe('Rows of the terminal.'),
};

export const openSessionSchema = z.strictObject({
  workspaceId: z.uuid().describe('ID of the workspace that the terminal can access.'),
  cwd: cwdField
    .optional()
    .describe(
      'Working directory inside the workspace. A relative path starts at its directory, the default.',
    ),
  ...sizeFields,
});
export type OpenSession = z.output<typeof openSessionSchema>;

export const sessionSchema = z
  .object({
    id: z.uuid().describe('ID of the session.'),
    workspaceId: z.string().describe('ID of the workspace.'),
    createdAt: timestampSchema.describe('Time at which the session was opened.'),
    endsAt: timestampSchema.describe('Time at which the session ends at the latest.'),
  })
  .meta({ id: 'TerminalSession' });
export type ShownSession = z.infer<typeof sessionSchema>;

export const sessionParams = z.object({ sessionId: z.uuid().describe('ID of a session of yours.') });

export const sessionStreamQuery = z.object({
  after: z.coerce
    .number()
    .int()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .optional()
    .describe('Number of the last event that you received. The stream continues after it.'),
});

export const inputSchema = z.strictObject({
  text: z
    .string()
    .min(1)
    .max(MAX_INPUT)
    .describe('Input as a terminal sends it: a carriage return for Enter, `\\u0003` for Ctrl+C.'),
});

export const resizeSchema = z.strictObject(sizeFields);

export const signalSchema = z.strictObject({
  signal: z
    .enum(TERMINAL_SIGNALS)
    .describe(
      'Signal for the processes in the foreground. `KILL` does nothing while only the shell is there.',
    ),
  killAfterMs: z
    .int()
    .min(0)
    .max(MAX_KILL_AFTER_MS)
    .optional()
    .describe('Milliseconds after which those of these processes that are left are killed.'),
});
