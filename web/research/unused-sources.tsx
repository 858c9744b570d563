import { useTranslation } from 'react-i18next';
import { EmptyState } from '../parts/empty-state.tsx';
import { PlainTable } from '../parts/plain-table.tsx';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { ServiceText } from '../parts/service-text.tsx';
import type { Research } from './research.ts';

/** Sources that were reviewed but aren't in the evidence, with the reason. */
export function UnusedSources({ research }: { research: Research }) {
  const { t } = useTranslation();
  const left = research.looked.filter(({ used }) => !used);
  const questions = new Map(research.plan?.questions.map(({ id, question }) => [id, question]));
  if (left.length === 0)
    return <EmptyState icon="check" title={t('research.noneUnused')} next={t('research.noneUnusedNext')} />;
  return (
    <ScrollRegion label={t('research.unused')} className="overflow-x-auto">
      <PlainTable
        header={[t('research.what'), t('research.reason'), t('research.forQuestion')]}
        rows={left.map(({ title, path, url, reason, questionId }) => [
          <span key="source" data-user-content>
            {title || path || url}
          </span>,
          reason && <ServiceText key="reason" text={reason} />,
          <span key="question" data-user-content>
            {questions.get(questionId)}
          </span>,
        ])}
        cellClass="max-w-80 break-words"
      />
    </ScrollRegion>
  );
}
