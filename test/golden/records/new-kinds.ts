import type { RecordValue } from '../../../lib/ports/records.ts';

/** A sample of each kind that came after the latest fixture was made; the next fixture takes their place. */
export const newKinds: Record<string, RecordValue> = {};
