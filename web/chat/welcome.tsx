import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../parts/empty-state.tsx';
import { formatCount } from '../parts/format.ts';
import { factsOf } from '../workspaces/index-facts.ts';
import { NoFiles } from '../workspaces/no-files.tsx';
import { type IndexState, syncQuery, useListedFiles } from '../workspaces/queries.ts';
import { searchStarters, startersOf } from './starters.ts';

interface Props {
  workspaceId: string;
  /** True if no model is connected. Search can't answer questions about all files. */
  noAi: boolean;
  onAsk: (text: string) => void;
}

/** An empty chat. It shows what can be asked, or what must be done first. */
export function Welcome({ workspaceId, noAi, onAsk }: Props) {
  const { t } = useTranslation();
  const sync = useQuery(syncQuery(workspaceId));
  const state = sync.data;
  if (state?.index?.searchable === 0) return <NoFiles workspaceId={workspaceId} />;
  return (
    <EmptyState icon="chat" title={t('chat.welcome')}>
      <p>{t(noAi ? 'chat.welcomeNoModel' : 'chat.welcomeNote')}</p>
      {state && <StillIndexing state={state} />}
      <Beginnings workspaceId={workspaceId} noAi={noAi} onAsk={onAsk} />
    </EmptyState>
  );
}

/**
 * Suggested questions about the files, from one request for the list of indexed files. Without a model,
 * suggests words for which a search finds something.
 */
function Beginnings({ workspaceId, noAi, onAsk }: Props) {
  const { t } = useTranslation();
  const { data = [], isPending } = useListedFiles(workspaceId, 'indexed');
  if (isPending) return null;
  const texts = noAi
    ? searchStarters(data)
    : startersOf(data).map(({ key, ...names }) => t(`chat.begin.${key}`, names));
  if (texts.length === 0) return null;
  return (
    <>
      {noAi && <p className="mt-5">{t('chat.begin.words')}</p>}
      <ul className={`space-y-2 text-left ${noAi ? 'mt-2' : 'mt-5'}`}>
        {texts.map((text) => (
          <li key={text}>
            <button
              type="button"
              data-user-content
              onClick={() => onAsk(text)}
              className="w-full rounded-md border border-line bg-surface px-4 py-2.5 text-left wrap-anywhere text-ink hover:border-accent"
            >
              {text}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Says that indexed files can already be asked about. */
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
