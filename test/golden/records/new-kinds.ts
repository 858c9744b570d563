import type { RecordValue } from '../../../lib/ports/records.ts';

/** A sample of each kind that is newer than the latest fixture; the next fixture replaces them. */
export const newKinds: Record<string, RecordValue> = {};
