/** Those by which runs may be listed, as the address says it. */
export const RUN_STATUSES = ['running', 'waiting', 'done', 'failed', 'stopped'] as const;
