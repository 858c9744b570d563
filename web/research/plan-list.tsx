import { useTranslation } from 'react-i18next';
import type { Research } from './research.ts';

export function PlanList({ plan }: { plan: Research['plan'] }) {
  const { t } = useTranslation();
  if (plan === null) return <p className="py-6 text-sm text-muted">{t('research.noPlan')}</p>;
  return (
    <ol className="list-decimal space-y-3 pl-6">
      {plan.questions.map(({ id, question, answeredBy, keywords = [] }) => (
        <li key={id} data-user-content className="break-words">
          {question}
          {answeredBy && (
            <p className="text-sm text-muted">{t('research.answeredBy', { what: answeredBy })}</p>
          )}
          {keywords.length > 0 && <p className="text-xs text-muted">{keywords.join(' · ')}</p>}
        </li>
      ))}
    </ol>
  );
}
