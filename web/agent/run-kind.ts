import type { Schemas } from '../../lib/api-contract/schema.ts';

const UNCHOSEN = { research: 'agent.report', verify: 'agent.draftCheck' } as const;

const PAGES = {
  agent: '/w/$workspaceId/agent/$runId',
  research: '/w/$workspaceId/research/$runId',
  verify: '/w/$workspaceId/drafts/$runId',
} as const;

/** The page of a run: that of its steps, or of its result. */
export const pageOf = ({ kind }: Pick<Schemas['AgentRun'], 'kind'>) => PAGES[kind];

/** The key of the words for what a run is: a report and the check of a draft have no mode that anybody chose. */
export const kindOf = ({ kind, mode }: Pick<Schemas['AgentRun'], 'kind' | 'mode'>) =>
  kind === 'agent' ? (`agent.modes.${mode}` as const) : UNCHOSEN[kind];

/** The signs of runs and of conversations. */
export const KIND_SIGNS = {
  chat: 'chat',
  agent: 'agent',
  bot: 'bot',
  research: 'report',
  verify: 'check',
} as const satisfies Record<Schemas['RunKind'] | Schemas['ConversationKind'], string>;
