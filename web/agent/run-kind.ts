import type { Schemas } from '../../lib/api-contract/schema.ts';

/** The key of the words for what a run is: a report has no mode that anybody chose. */
export const kindOf = ({ kind, mode }: Pick<Schemas['AgentRun'], 'kind' | 'mode'>) =>
  kind === 'research' ? ('agent.report' as const) : (`agent.modes.${mode}` as const);
