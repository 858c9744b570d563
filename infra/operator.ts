import type { Caller } from '../lib/access/caller.ts';

/** Anyone who can write the data folder owns the service. */
export const OPERATOR: Caller = { id: 'operator', role: 'admin', workspaceIds: null };
