import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Banner } from '../parts/banner.tsx';
import { changeFormDraft } from '../parts/draft.ts';
import { ServiceText } from '../parts/service-text.tsx';
import { SettingsLink } from '../settings/ai-banner.tsx';
import type { Research } from './research.ts';

/** Why a report failed, and the ways on: the settings, or the form with the same question. */
export function FailedReport({ research }: { research: Research }) {
  const { t } = useTranslation();
  const { workspaceId, question, depth, error } = research;
  if (!error) return null;
  const keepQuestion = () => changeFormDraft(`new report ${workspaceId}`, { question, depth });
  return (
    <Banner look="danger">
      <ServiceText text={error} label={t('research.failed')} /> <SettingsLink />{' '}
      <Link
        to="/w/$workspaceId/research"
        params={{ workspaceId }}
        onClick={keepQuestion}
        className="underline"
      >
        {t('parts.tryAgain')}
      </Link>
    </Banner>
  );
}
