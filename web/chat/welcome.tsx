import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../parts/empty-state.tsx';
import { formatCount } from '../parts/format.ts';
import { factsOf } from '../workspaces/index-facts.ts';
import { NoFiles } from '../workspaces/no-files.tsx';
import { type IndexState, syncQuery } from '../workspaces/queries.ts';

const BEGINNINGS = ['chat.begin.overview', 'chat.begin.disagree', 'chat.begin.missing'] as const;

interface Props {
  workspaceId: string;
  /** No model is connected: search finds no answer to questions about all files. */
  noAi: boolean;
  onAsk: (text: string) => void;
}

/** An empty chat says what it can be asked, or what must be done before. */
export function Welcome({ workspaceId, noAi, onAsk }: Props) {
  const { t } = useTranslation();
  const sync = useQuery(syncQuery(workspaceId));
  const state = sync.data;
  if (state?.index?.searchable === 0) return <NoFiles workspaceId={workspaceId} />;
  return (
    <EmptyState icon="chat" title={t('chat.welcome')}>
      <p>{t(noAi ? 'chat.welcomeNoModel' : 'chat.welcomeNote')}</p>
      {state && <StillIndexing state={state} />}
      {noAi || <Beginnings onAsk={onAsk} />}
    </EmptyState>
  );
}

function Beginnings({ onAsk }: Pick<Props, 'onAsk'>) {
  const { t } = useTranslation();
  return (
    <ul className="mt-5 space-y-2 text-left">
      {BEGINNINGS.map((key) => (
        <li key={key}>
          <button
            type="button"
            onClick={() => onAsk(t(key))}
            className="w-full rounded-md border border-line bg-surface px-4 py-2.5 text-left text-ink hover:border-accent"
          >
            {t(key)}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** One need not wait: what is in the index can be asked about. */
function StillIndexing({ state }: { state: IndexState }) {
  const { t, i18n } = useTranslation();
  const { askable, freshness } = factsOf(state);
  if (freshness !== 'indexing' || askable === undefined) return null;
  return (
    <p className="mt-2">
      {t('chat.indexingSome', { count: askable, files: formatCount(askable, i18n.language) })}
    </p>
  );
}
