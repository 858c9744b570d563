import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { LOOKS, SupportIcon } from '../chat/support.tsx';
import { Icon } from '../parts/icon.tsx';
import { SENTENCE_STATES, type SentenceState } from './check-search.ts';
import { countStates, type DraftCheck } from './draft-check.ts';

const FROM = '/w/$workspaceId/drafts/$runId';

/** Sentences of one state, or all: the address has which. */
export function StateFilter({ check }: { check: DraftCheck }) {
  const { t } = useTranslation();
  const counts = countStates(check.sentences);
  return (
    <fieldset className="flex flex-wrap gap-2">
      <legend className="sr-only">{t('verify.filter')}</legend>
      <FilterButton state={undefined} count={check.sentences.length}>
        {t('verify.all')}
      </FilterButton>
      {SENTENCE_STATES.map((state) => (
        <FilterButton key={state} state={state} count={counts[state] ?? 0}>
          <StateWord state={state} />
        </FilterButton>
      ))}
    </fieldset>
  );
}

interface ButtonProps {
  state: SentenceState | undefined;
  count: number;
  children: ReactNode;
}

function FilterButton({ state, count, children }: ButtonProps) {
  const { show } = useSearch({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  const choose = () =>
    void navigate({
      search: (before) => ({ ...before, show: state, sentence: undefined }),
      resetScroll: false,
    });
  return (
    <button
      type="button"
      aria-pressed={show === state}
      onClick={choose}
      className="inline-flex min-h-9 items-center gap-1.5 rounded-full border border-line bg-surface px-3 text-sm hover:bg-sunken aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:font-medium"
    >
      {children}
      <span className="text-xs text-muted tabular-nums">{count}</span>
    </button>
  );
}

function StateWord({ state }: { state: SentenceState }) {
  const { t } = useTranslation();
  if (state === 'no-claim')
    return (
      <>
        <Icon name="minus" size={14} />
        {t('verify.noClaim')}
      </>
    );
  return (
    <>
      <span className={LOOKS[state].text}>
        <SupportIcon support={state} size={14} />
      </span>
      {t(`chat.support.state.${state}`)}
    </>
  );
}
