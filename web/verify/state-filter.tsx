import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { SUPPORT_WORDS } from '../../lib/api-contract/support-words.ts';
import { LOOKS, SupportIcon } from '../chat/support.tsx';
import { Icon } from '../parts/icon.tsx';
import { FILTERS, type SentenceFilter } from './check-search.ts';
import { countShown, type DraftCheck } from './draft-check.ts';
import { useTableLanguage } from './evidence.tsx';

const FROM = '/w/$workspaceId/drafts/$runId';

/** The choice between sentences that may have an error, sentences of one state, or all; stored in the URL. */
export function StateFilter({ check }: { check: DraftCheck }) {
  const { t } = useTranslation();
  const { show } = useSearch({ from: FROM });
  const { sentences } = check;
  const counts = useMemo(() => countShown(sentences), [sentences]);
  return (
    <div className="space-y-2">
      <fieldset className="flex flex-wrap gap-2">
        <legend className="sr-only">{t('verify.filter')}</legend>
        <FilterButton filter={undefined} count={sentences.length}>
          {t('verify.all')}
        </FilterButton>
        {FILTERS.map((filter) => (
          <FilterButton key={filter} filter={filter} count={counts[filter]}>
            <FilterWord filter={filter} />
          </FilterButton>
        ))}
      </fieldset>
      {show === 'errors' && <p className="text-sm text-muted">{t('verify.errorsNote')}</p>}
    </div>
  );
}

interface ButtonProps {
  filter: SentenceFilter | undefined;
  count: number;
  children: ReactNode;
}

function FilterButton({ filter, count, children }: ButtonProps) {
  const { show } = useSearch({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  const choose = () =>
    void navigate({
      search: (before) => ({ ...before, show: filter, sentence: undefined }),
      resetScroll: false,
    });
  return (
    <button
      type="button"
      aria-pressed={show === filter}
      onClick={choose}
      className="inline-flex min-h-9 items-center gap-1.5 rounded-full border border-line bg-surface px-3 text-sm hover:bg-sunken aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:font-medium"
    >
      {children}
      <span className="text-xs text-muted tabular-nums">{count}</span>
    </button>
  );
}

function FilterWord({ filter }: { filter: SentenceFilter }) {
  const { t } = useTranslation();
  const language = useTableLanguage();
  if (filter === 'errors')
    return (
      <>
        <span className="text-danger">
          <Icon name="flag" size={14} />
        </span>
        {t('verify.errors')}
      </>
    );
  if (filter === 'no-claim')
    return (
      <>
        <Icon name="minus" size={14} />
        {t('verify.noClaim')}
      </>
    );
  return (
    <>
      <span className={LOOKS[filter].text}>
        <SupportIcon support={filter} size={14} />
      </span>
      {SUPPORT_WORDS[language][filter]}
    </>
  );
}
