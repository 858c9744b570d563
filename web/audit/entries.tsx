import { Fragment, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../parts/badge.tsx';
import { DataTable } from '../parts/data-table.tsx';
import { formatTime } from '../parts/format.ts';
import { useNames } from '../people/names.ts';
import { useWorkspaces, WORKSPACES } from '../workspaces/queries.ts';
import type { AuditEntry } from './queries.ts';
import { isGone, readAbout } from './read-about.ts';

const OUTCOMES = { begun: 'warn', done: 'good', refused: 'calm', failed: 'danger' } as const;

/** The entries. Actors and subjects appear by name if it is known, with the ID below. */
export function Entries({ entries }: { entries: AuditEntry[] }) {
  const { t, i18n } = useTranslation();
  const names = useNames();
  return (
    <DataTable
      label={t('audit.title')}
      rows={entries}
      keyOf={({ id }) => id}
      columns={[
        {
          name: t('audit.when'),
          cell: ({ at }) => <span className="whitespace-nowrap">{formatTime(at, i18n.language)}</span>,
        },
        {
          name: t('audit.who'),
          isLong: true,
          cell: ({ actor, actorName = names.get(actor), role, address }) => (
            <Two
              first={
                <span data-user-content title={actor}>
                  {actorName ?? actor}
                </span>
              }
              second={[role, address, actorName !== undefined && actor]}
            />
          ),
        },
        {
          name: t('audit.what'),
          isLong: true,
          cell: ({ action, workspaceId }) => (
            <Two first={action} second={[workspaceId && <Workspace key={workspaceId} id={workspaceId} />]} />
          ),
        },
        {
          name: t('audit.about'),
          isLong: true,
          cell: (entry) => <About entry={entry} names={names} />,
        },
        {
          name: t('audit.outcome'),
          cell: ({ outcome, status }) => (
            <Badge look={OUTCOMES[outcome]}>
              {t(`audit.outcomes.${outcome}`)}
              {status !== null && ` ${status}`}
            </Badge>
          ),
        },
      ]}
    />
  );
}

/** A workspace by name. A workspace that is missing in a complete list no longer exists. */
function Workspace({ id }: { id: string }) {
  const { t } = useTranslation();
  const { data } = useWorkspaces();
  const name = data?.find((workspace) => workspace.id === id)?.name;
  const isWhole = data !== undefined && data.length < WORKSPACES;
  if (name === undefined && !isWhole) return id;
  return <span title={id}>{name ?? t('audit.goneWorkspace')}</span>;
}

function About({ entry, names }: { entry: AuditEntry; names: ReadonlyMap<string, string> }) {
  const { t } = useTranslation();
  const { said, ids } = readAbout(entry.about ?? '', names);
  if (said === '' && !isGone(entry)) return ids[0];
  const name = <span data-user-content>{said}</span>;
  return <Two first={said === '' ? t('audit.gone') : name} second={ids} />;
}

function Two({ first, second }: { first: ReactNode; second: ReactNode[] }) {
  const parts = second.filter(Boolean);
  return (
    <>
      {first}
      <span className="block text-xs text-muted">
        {parts.map((part, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they stay in their order
          <Fragment key={place}>
            {place > 0 && ' · '}
            {part}
          </Fragment>
        ))}
      </span>
    </>
  );
}
