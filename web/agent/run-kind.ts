import type { Run } from './queries.ts';

/** The key of the words for what a run is: a report has no mode that anybody chose. */
export const kindOf = ({ kind, mode }: Pick<Run, 'kind' | 'mode'>) =>
  kind === 'research' ? ('agent.report' as const) : (`agent.modes.${mode}` as const);
