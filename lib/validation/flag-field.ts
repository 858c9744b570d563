import * as z from 'zod';

/** Returns the schema of a query parameter that is `true` or `false`, and false by default. */
export function flagField(description: string) {
  return z
    .enum(['true', 'false'])
    .default('false')
    .transform((text) => text === 'true')
    .describe(description);
}
