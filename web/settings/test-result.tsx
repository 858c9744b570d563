import { useTranslation } from 'react-i18next';
import { messageOfCode } from '../api/error-message.ts';
import { Banner } from '../parts/banner.tsx';
import { Details } from '../parts/details.tsx';
import { Problem } from '../parts/problem.tsx';
import type { useTest } from './model-connections.ts';

/** The provider's response: the number of models, or the reason for the failure. */
export function TestResult({ test }: { test: ReturnType<typeof useTest> }) {
  const { t } = useTranslation();
  const { data, error } = test;
  const count = data?.models.length ?? 0;
  return (
    <>
      <Problem error={error} />
      <div role="status">
        {data?.ok && <p className="text-sm text-good">{t('models.works', { count })}</p>}
        {data && !data.ok && (
          <Banner look="warn">
            <Failure code={data.code} message={data.message ?? ''} />
          </Banner>
        )}
      </div>
    </>
  );
}

function Failure({ code, message }: { code: string | null; message: string }) {
  const { t } = useTranslation();
  // The service's message refers to an administrator, but the reader is one, and just typed the key.
  if (code === 'model_credential_refused') return t('models.keyRefused');
  const translated = messageOfCode(code ?? undefined);
  if (translated === undefined) return message;
  return (
    <>
      {translated}
      <Details name={t('parts.errorDetails')}>
        <span lang="en">{message}</span>
      </Details>
    </>
  );
}
