import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { KIND_SIGNS, pageOf } from '../agent/run-kind.ts';
import type { Conversation } from '../conversations/queries.ts';
import { Badge } from '../parts/badge.tsx';
import { Skeletons } from '../parts/empty-state.tsx';
import { formatAgo } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
import { Row, Rows, WHOLE_ROW } from '../parts/rows.tsx';
import { newestOf } from './newest.ts';
import type { ListedWorkspace } from './queries.ts';

type WaitingRun = NonNullable<ListedWorkspace['state']>['waiting'][number];

const SHOWN = 5;

/**
 * Runs that wait for a person, then the latest questions, of all listed workspaces; undefined until they are
 * loaded.
 */
export function Recent({ workspaces }: { workspaces: ListedWorkspace[] | undefined }) {
  const { t } = useTranslation();
  const states = workspaces?.flatMap(({ state = [] }) => state) ?? [];
  const names = new Map(workspaces?.map(({ id, name }) => [id, name]));
  const runs = states.flatMap(({ waiting }) => waiting);
  const asked = new Set(runs.map(({ conversationId }) => conversationId));
  const conversations = newestOf(
    states.flatMap(({ recent }) => recent).filter(({ id }) => !asked.has(id)),
    SHOWN,
  );
  const failed = new Set(states.flatMap((state) => state.failed));
  const isPending = workspaces === undefined;
  if (!isPending && runs.length + conversations.length === 0) return null;
  return (
    <section aria-label={t('workspaces.recent')} className="mt-8">
      <h2 className="mb-2 text-base font-semibold">{t('workspaces.recent')}</h2>
      {isPending ? (
        <Skeletons rows={4} className="h-12" />
      ) : (
        <Rows label={t('workspaces.recent')}>
          {runs.map((run) => (
            <WaitingRow key={run.id} run={run} place={names.get(run.workspaceId)} />
          ))}
          {conversations.map((each) => (
            <ConversationRow
              key={each.id}
              conversation={each}
              hasFailed={failed.has(each.id)}
              place={names.get(each.workspaceId)}
            />
          ))}
        </Rows>
      )}
    </section>
  );
}

function WaitingRow({ run, place }: { run: WaitingRun; place: string | undefined }) {
  const { t, i18n } = useTranslation();
  const { id: runId, workspaceId, kind, title, createdAt } = run;
  return (
    <Row>
      <span className="text-warn">
        <Icon name={KIND_SIGNS[kind]} />
      </span>
      <Link
        to={pageOf(run)}
        params={{ workspaceId, runId }}
        data-user-content
        className={`${WHOLE_ROW} min-w-0 flex-1`}
      >
        {title || t('conversations.untitled')}
      </Link>
      <Badge look="warn" icon="hand">
        {t('workspaces.waits')}
      </Badge>
      <When place={place} at={formatAgo(createdAt, i18n.language)} />
    </Row>
  );
}

interface ConversationProps {
  conversation: Conversation;
  /** True if the conversation's latest run failed. */
  hasFailed: boolean;
  place: string | undefined;
}

function ConversationRow({ conversation, hasFailed, place }: ConversationProps) {
  const { t, i18n } = useTranslation();
  const { id, workspaceId, kind, title, updatedAt } = conversation;
  return (
    <Row>
      <span className="text-muted">
        <Icon name={KIND_SIGNS[kind]} />
      </span>
      <Link
        to="/w/$workspaceId/chat/$conversationId"
        params={{ workspaceId, conversationId: id }}
        data-user-content
        className={`${WHOLE_ROW} min-w-0 flex-1`}
      >
        {title || t('conversations.untitled')}
      </Link>
      {hasFailed && (
        <Badge look="danger" icon="warn">
          {t('workspaces.failed')}
        </Badge>
      )}
      <When place={place} at={formatAgo(updatedAt, i18n.language)} />
    </Row>
  );
}

function When({ place, at }: { place: string | undefined; at: string }) {
  return (
    <span className="flex basis-full gap-3 pl-8.5 text-xs text-muted sm:basis-auto sm:pl-0">
      <span className="max-w-40 truncate">{place}</span>
      <span className="shrink-0 sm:w-20 sm:text-right">{at}</span>
    </span>
  );
}
