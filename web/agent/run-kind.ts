import type { Schemas } from '../../lib/api-contract/schema.ts';

const UNCHOSEN = { research: 'agent.report', verify: 'agent.draftCheck' } as const;

/** The key of the words for what a run is: a report and the check of a draft have no mode that anybody chose. */
export const kindOf = ({ kind, mode }: Pick<Schemas['AgentRun'], 'kind' | 'mode'>) =>
  kind === 'agent' ? (`agent.modes.${mode}` as const) : UNCHOSEN[kind];
