import * as z from 'zod';
import { pastedDay, pastedKey, pastedUrl, pastedWord } from '../api-contract/pasted.ts';

const PRINTABLE = /^[\x21-\x7e]+$/;
const MUST = 'must be printable ASCII without spaces';

/**
 * Fields into which people paste. Recognizable values are normalized as in lib/api-contract/pasted.ts; others
 * are rejected.
 */
export const keyField = z.string().overwrite(pastedKey).regex(PRINTABLE, MUST);
/** A name from another service, such as a model's name. */
export const nameField = z.string().overwrite(pastedWord).regex(PRINTABLE, MUST);
export const dayField = z
  .string()
  .overwrite(pastedDay)
  .check(z.iso.date({ abort: true }));
/** A date, which is in UTC, or a time with its offset. */
export const momentField = z.union([dayField, z.iso.datetime({ offset: true, abort: true })], {
  error: 'must be a day or a time, such as 2026-11-22 or 2026-11-22T08:00:00Z',
});

export function urlField(protocol: RegExp, error: string, clean = pastedUrl) {
  return z
    .string()
    .overwrite(clean)
    .check(z.url({ protocol, error, abort: true }));
}
