import type { Schemas } from '../../lib/api-contract/schema.ts';

const UNCHOSEN = { research: 'agent.report', verify: 'agent.draftCheck', table: 'agent.table' } as const;

const PAGES = {
  agent: '/w/$workspaceId/agent/$runId',
  research: '/w/$workspaceId/research/$runId',
  verify: '/w/$workspaceId/drafts/$runId',
  table: '/w/$workspaceId/tables/runs/$runId',
} as const;

/** Returns the route of a run's steps, or of its result. */
export const pageOf = ({ kind }: Pick<Schemas['AgentRun'], 'kind'>) => PAGES[kind];

/** Returns the key of the label for a run's kind; reports and draft checks have no chosen mode. */
export const kindOf = ({ kind, mode }: Pick<Schemas['AgentRun'], 'kind' | 'mode'>) =>
  kind === 'agent' ? (`agent.modes.${mode}` as const) : UNCHOSEN[kind];

/** The icons for runs and conversations. */
export const KIND_SIGNS = {
  chat: 'chat',
  agent: 'agent',
  bot: 'bot',
  research: 'report',
  verify: 'check',
  table: 'list',
} as const satisfies Record<Schemas['RunKind'] | Schemas['ConversationKind'], string>;
