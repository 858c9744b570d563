import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Details } from '../parts/details.tsx';
import { Place, SourceLink, useOpenNth } from './citations.tsx';
import { type Citation, givenSourceOf, readGiven } from './message-view.ts';

interface Props {
  messageId: string;
  metadata: unknown;
  /** True if any sentence of the answer has a source. */
  isCiting: boolean;
}

/** All passages that the model got, cited or not, with a note if no sentence of its answer matches any. */
export function GivenPassages({ messageId, metadata, isCiting }: Props) {
  const { t } = useTranslation();
  const given = useMemo(() => readGiven(metadata), [metadata]);
  if (given.length === 0) return null;
  return (
    <div className="mt-3">
      {!isCiting && <p className="text-sm text-muted">{t('chat.given.none')}</p>}
      <Details name={t('chat.given.title', { count: given.length })}>
        <ol className="divide-y divide-line rounded-md border border-line bg-surface">
          {given.map((passage) => (
            <li key={passage.index}>
              <GivenPassage passage={passage} source={givenSourceOf(messageId, passage)} />
            </li>
          ))}
        </ol>
      </Details>
    </div>
  );
}

function GivenPassage({ passage, source }: { passage: Citation; source: string }) {
  const isOpen = useOpenNth(source) !== undefined;
  return (
    <SourceLink
      source={source}
      isOpen={isOpen}
      title={passage.path}
      className={`flex min-h-9 flex-wrap items-baseline gap-x-2 px-2.5 py-1.5 text-sm hover:bg-sunken ${isOpen ? 'bg-accent-soft' : ''}`}
    >
      <span className="min-w-5 text-right text-xs text-muted tabular-nums">{passage.index}</span>
      <span data-user-content className="min-w-0 truncate">
        {passage.path}
      </span>
      <span className="text-xs text-muted">
        <Place citation={passage} />
      </span>
    </SourceLink>
  );
}
