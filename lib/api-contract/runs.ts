/** The modes plan and ask only read; agent has every tool. */
export const MODES = ['agent', 'plan', 'ask'] as const;
export type Mode = (typeof MODES)[number];

export const RUN_STATUSES = ['running', 'waiting', 'done', 'failed', 'stopped'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** What an approval allows: the call, matching calls until the end of the run, or matching calls in the workspace. */
export const APPROVAL_SCOPES = ['once', 'run', 'always'] as const;
export type ApprovalScope = (typeof APPROVAL_SCOPES)[number];
