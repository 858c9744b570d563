import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { pastedKey } from '../../lib/api-contract/pasted.ts';
import { ApiError, callApi } from '../api/client.ts';
import { Banner } from '../parts/banner.tsx';
import { Button } from '../parts/button.tsx';
import { Field } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Problem } from '../parts/problem.tsx';
import { useHealth } from '../settings/queries.ts';
import { AccessCard } from './access-card.tsx';
import { forget, keepCredential } from './credential.ts';
import { IssuerButton } from './issuer-button.tsx';

interface Props {
  /** True if the credential expired; the page then explains why it appears. */
  hasEnded: boolean;
  onSignedIn: () => void;
}

/** Asks for a token. If there is an issuer, the token field is for people who got one from an administrator. */
export function SignIn({ hasEnded, onSignedIn }: Props) {
  const { t } = useTranslation();
  const { data } = useHealth();
  const login = data?.login;
  return (
    <AccessCard
      title={t('access.title')}
      intro={login ? t('access.issuerIntro', { host: new URL(login.issuer).host }) : t('access.intro')}
    >
      <div role="alert" className="empty:hidden">
        {hasEnded && <Banner look="warn">{t('access.ended')}</Banner>}
      </div>
      {login ? <IssuerButton login={login} /> : <TokenForm onSignedIn={onSignedIn} />}
      {login?.acceptsTokens && (
        <details>
          <summary className="text-sm text-muted">{t('access.withToken')}</summary>
          <div className="pt-4">
            <TokenForm onSignedIn={onSignedIn} />
          </div>
        </details>
      )}
    </AccessCard>
  );
}

function TokenForm({ onSignedIn }: { onSignedIn: () => void }) {
  const { t } = useTranslation();
  const [token, setToken] = useState('');
  const [error, setError] = useState<Error>();
  const submit = async () => {
    keepCredential(pastedKey(token));
    try {
      await callApi('/api/workspaces?limit=1');
      onSignedIn();
    } catch (problem) {
      forget();
      const refused = problem instanceof ApiError && problem.status === 401;
      setError(refused ? new Error(t('access.rejected')) : (problem as Error));
    }
  };
  return (
    <Form onSend={() => void submit()} className="space-y-5">
      <Field
        label={t('access.token')}
        hint={t('access.hint')}
        type="password"
        autoComplete="off"
        spellCheck={false}
        required
        value={token}
        onChange={setToken}
      />
      <Problem error={error} />
      <Button look="main" type="submit" className="w-full">
        {t('access.enter')}
      </Button>
    </Form>
  );
}
