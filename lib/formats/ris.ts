import type { Format } from './format.ts';

/** RIS references. Its entries describe other files, so it has no passages. */
export const ris: Format<'ris', 'text'> = {
  name: 'ris',
  version: 1,
  title: 'RIS',
  extensions: ['ris'],
  mediaType: 'application/x-research-info-systems',
  rawType: () => 'text/plain',
  content: 'text',
  unit: 'line',
  structure: { belongsToBefore: () => false, startsSection: (line) => line.startsWith('TY  -') },
};
