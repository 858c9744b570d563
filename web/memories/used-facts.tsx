import { Link, useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { readUsedFacts } from './read-used-facts.ts';

/** One line about the facts that the model was given for an answer. */
export function UsedFacts({ metadata }: { metadata: unknown }) {
  const { t } = useTranslation();
  const { workspaceId } = useParams({ from: '/w/$workspaceId' });
  const used = readUsedFacts(metadata);
  if (used === undefined) return null;
  const { person, workspace, leftOut } = used;
  const parts = [
    person > 0 && t('memories.used.person', { count: person }),
    workspace > 0 && t('memories.used.workspace', { count: workspace }),
    leftOut > 0 && t('memories.used.leftOut', { count: leftOut }),
  ];
  return (
    <p className="mt-2 text-xs text-muted">
      <Link to="/w/$workspaceId/memory" params={{ workspaceId }} className="underline decoration-dotted">
        {t('shell.memory')}
      </Link>
      {': '}
      {parts.filter(Boolean).join(' · ')}
    </p>
  );
}
