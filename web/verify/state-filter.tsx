import { Link, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { SupportIcon } from '../chat/support.tsx';
import { Icon } from '../parts/icon.tsx';
import { SENTENCE_STATES, type SentenceState } from './check-search.ts';
import { countStates, type DraftCheck } from './draft-check.ts';

/** Sentences of one state, or all: each filter has an address. */
export function StateFilter({ check }: { check: DraftCheck }) {
  const { t } = useTranslation();
  const counts = countStates(check.sentences);
  return (
    <nav aria-label={t('verify.filter')} className="flex flex-wrap gap-2">
      <FilterLink state={undefined} count={check.sentences.length}>
        {t('verify.all')}
      </FilterLink>
      {SENTENCE_STATES.map((state) => (
        <FilterLink key={state} state={state} count={counts[state] ?? 0}>
          <StateWord state={state} />
        </FilterLink>
      ))}
    </nav>
  );
}

interface LinkProps {
  state: SentenceState | undefined;
  count: number;
  children: ReactNode;
}

function FilterLink({ state, count, children }: LinkProps) {
  const { show } = useSearch({ from: '/w/$workspaceId/drafts/$runId' });
  return (
    <Link
      to="."
      search={(before) => ({ ...before, show: state, sentence: undefined })}
      resetScroll={false}
      activeProps={{}}
      aria-current={show === state ? 'true' : undefined}
      className="inline-flex min-h-9 items-center gap-1.5 rounded-full border border-line bg-surface px-3 text-sm hover:bg-sunken aria-[current=true]:border-accent aria-[current=true]:bg-accent-soft aria-[current=true]:font-medium aria-[current=true]:text-accent"
    >
      {children}
      <span className="text-xs tabular-nums">{count}</span>
    </Link>
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
      <SupportIcon support={state} size={14} />
      {t(`chat.support.state.${state}`)}
    </>
  );
}
