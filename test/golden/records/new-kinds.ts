import type { RecordValue } from '../../../lib/ports/records.ts';

/** A sample of each kind that came after the latest fixture was made; the next fixture takes their place. */
export const newKinds: Record<string, RecordValue> = {
  'run-erasure': {
    workspaceId: '0190a8e4-7a5c-7c1b-9d2e-3f4a5b6c7d8e',
    askedAt: '2026-11-29T12:00:00.000Z',
    until: '2026-11-29T12:02:00.000Z',
    expiresAt: 1798545600,
  },
};
