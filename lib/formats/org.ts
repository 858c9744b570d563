import type { Format } from './format.ts';

const HEADING = /^(\*+)\s/;
/** Scheduling lines and the property drawer come after a heading, and describe it. */
const OF_HEADING = /^\s*(:PROPERTIES:|(SCHEDULED|DEADLINE|CLOSED):)/;

/** Emacs Org. A line that starts with stars is always a heading. In a block of code, a comma precedes the stars. */
export const org: Format<'org', 'text'> = {
  name: 'org',
  version: 2,
  title: 'Org',
  extensions: ['org'],
  mediaType: 'text/x-org',
  /** The extension alone would mean Lotus Organizer. */
  rawType: () => 'text/x-org',
  content: 'text',
  unit: 'line',
  structure: {
    belongsToBefore: (line, before) => HEADING.test(before) && OF_HEADING.test(line),
    startsSection: (line) => HEADING.test(line),
    heading(line) {
      const [mark, stars] = HEADING.exec(line) ?? [];
      return mark && stars ? { level: stars.length, text: line.slice(mark.length) } : undefined;
    },
  },
};
