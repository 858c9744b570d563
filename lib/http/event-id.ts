import { InvalidInput } from '../errors.ts';

/** Returns the number in the header `Last-Event-ID`, or 0 without the header. */
export function readLastEventId(header: string | undefined): number {
  if (header === undefined || header === '') return 0;
  if (!/^\d{1,10}$/.test(header))
    throw new InvalidInput('invalid_value', 'Last-Event-ID must be the number of an event of this stream.', {
      field: 'Last-Event-ID',
    });
  return Number(header);
}
