import * as z from 'zod';

/** Text in `rg --json`, as base64 if it isn't UTF-8. */
const bytesSchema = z.union([
  z.object({ text: z.string() }).transform(({ text }) => Buffer.from(text)),
  z.object({ bytes: z.string() }).transform(({ bytes }) => Buffer.from(bytes, 'base64')),
]);

const pathSchema = z.object({ path: bytesSchema });

const lineSchema = z.object({
  path: bytesSchema,
  lines: bytesSchema,
  line_number: z.number(),
  absolute_offset: z.number(),
  submatches: z.array(z.object({ start: z.number() })),
});
export type LineData = z.infer<typeof lineSchema>;

/** A line of `rg --json`: https://docs.rs/grep-printer/latest/grep_printer/struct.JSON.html */
const eventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('begin'), data: pathSchema }),
  z.object({ type: z.literal('match'), data: lineSchema }),
  z.object({ type: z.literal('context'), data: lineSchema }),
  z.object({ type: z.literal('end'), data: pathSchema }),
  z.object({ type: z.literal('summary') }),
]);
export type RipgrepEvent = z.infer<typeof eventSchema>;

export function parseEvent(line: string): RipgrepEvent {
  return eventSchema.parse(JSON.parse(line));
}
