import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../parts/empty-state.tsx';
import { NoFiles } from '../workspaces/no-files.tsx';
import { syncQuery, useHasNoFiles } from '../workspaces/queries.ts';

const BEGINNINGS = ['chat.begin.overview', 'chat.begin.disagree', 'chat.begin.missing'] as const;

/** An empty chat says what it can be asked, or what must be done before. */
export function Welcome({
  workspaceId,
  onAsk,
  disabled,
}: {
  workspaceId: string;
  onAsk: (text: string) => void;
  disabled: boolean;
}) {
  const { t } = useTranslation();
  const sync = useQuery(syncQuery(workspaceId));
  const state = sync.data;
  const hasNone = useHasNoFiles(workspaceId, state);
  if (hasNone) return <NoFiles workspaceId={workspaceId} />;
  return (
    <EmptyState icon="chat" title={t('chat.welcome')}>
      <p>{t('chat.welcomeNote')}</p>
      <ul className="mt-5 space-y-2 text-left">
        {BEGINNINGS.map((key) => (
          <li key={key}>
            <button
              type="button"
              disabled={disabled}
              onClick={() => onAsk(t(key))}
              className="w-full rounded-md border border-line bg-surface px-4 py-2.5 text-left text-ink hover:border-accent disabled:opacity-50"
            >
              {t(key)}
            </button>
          </li>
        ))}
      </ul>
    </EmptyState>
  );
}
