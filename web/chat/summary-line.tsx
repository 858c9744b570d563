import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { SupportCounts } from '../../lib/api-contract/support-counts.ts';
import type { Citation } from './message-view.ts';
import { LOOKS, SupportIcon } from './support.tsx';
import { countShown, countUncited } from './support-summary.ts';

interface Props {
  text: string;
  citations: readonly Citation[];
  messageId: string;
  metadata?: unknown;
}

/** One line about all sentences of an answer, with a link to the first of the most alarming ones. */
export function SummaryLine({ text, citations, messageId, metadata }: Props) {
  const { t } = useTranslation();
  const counts = countShown(text, citations);
  if (counts === undefined) return null;
  const { contradicted, not_in_source, facts_found } = counts.marks;
  const worst = [contradicted && 'contradicted', not_in_source && 'none', facts_found && 'unjudged'] as const;
  const support = worst.find((each) => each !== 0) || 'full';
  const look = `flex items-start gap-1.5 text-left text-sm ${LOOKS[support].text}`;
  const content = (
    <>
      <span className="flex h-[1lh] items-center">
        <SupportIcon support={support} size={15} />
      </span>
      {wordCounts(counts, countUncited(metadata), t)}
    </>
  );
  if (contradicted + not_in_source === 0) return <p className={look}>{content}</p>;
  const states = contradicted > 0 ? ['contradicted'] : ['none', 'partial'];
  return (
    <button
      type="button"
      title={t('chat.support.summary.show')}
      onClick={() => focusFirst(messageId, states)}
      className={`${look} underline decoration-dotted underline-offset-4 hover:decoration-solid`}
    >
      {content}
    </button>
  );
}

const LACKING = ['number', 'fact', 'part'] as const;

/** Returns the counts in words: supported sentences first, then the others, most alarming first. */
function wordCounts(
  { sentences, marks, lacking, isJudged }: SupportCounts,
  uncited: number,
  t: TFunction,
): string {
  const { contradicted, facts_found, supported } = marks;
  const parts = [
    isJudged
      ? t('chat.support.summary.supported', { supported, count: sentences })
      : t('chat.support.summary.found', { found: facts_found + supported, count: sentences }),
    contradicted > 0 && t('chat.support.summary.contradicted', { count: contradicted }),
    ...LACKING.map(
      (each) => lacking[each] > 0 && t(`chat.support.summary.${each}`, { count: lacking[each] }),
    ),
    isJudged && facts_found > 0 && t('chat.support.summary.unjudged', { count: facts_found }),
    uncited > 0 && t('chat.support.summary.uncited', { count: uncited }),
  ];
  return parts.filter(Boolean).join(t('chat.support.summary.comma'));
}

/** Focuses the first citation with one of these states. The numbers in the text come before the cards. */
function focusFirst(messageId: string, states: readonly string[]): void {
  const links = document.querySelectorAll<HTMLElement>(`[data-source^="${CSS.escape(messageId)}."]`);
  const first = [...links].find((link) =>
    states.includes(link.querySelector<SVGElement>('[data-support]')?.dataset.support ?? ''),
  );
  first?.scrollIntoView({ block: 'center' });
  first?.focus();
}
