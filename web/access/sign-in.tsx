import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { pastedKey } from '../../lib/api-contract/pasted.ts';
import { ApiError, callApi } from '../api/client.ts';
import { fetchPart } from '../api/fetch-part.ts';
import { Banner } from '../parts/banner.tsx';
import { Button } from '../parts/button.tsx';
import { Field } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Problem } from '../parts/problem.tsx';
import { useHealth } from '../settings/queries.ts';
import { Brand } from '../shell/brand.tsx';
import { forget, keepCredential } from './credential.ts';
import type { Login } from './issuer.ts';
import { wordSignInError } from './sign-in-error.ts';

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
    <main id="main" className="flex min-h-full items-center justify-center p-6">
      <div className="w-full max-w-md space-y-5 rounded-lg border border-line bg-surface p-8 shadow-raised">
        <Brand isLarge />
        <header>
          <h1 className="text-xl font-semibold">{t('access.title')}</h1>
          <p className="mt-1 text-sm text-muted">
            {login ? t('access.issuerIntro', { host: new URL(login.issuer).host }) : t('access.intro')}
          </p>
        </header>
        <div role="alert" className="empty:hidden">
          {hasEnded && <Banner look="warn">{t('access.ended')}</Banner>}
        </div>
        {login && <WithIssuer login={login} />}
        {login ? (
          <details>
            <summary className="text-sm text-muted">{t('access.withToken')}</summary>
            <div className="pt-4">
              <TokenForm onSignedIn={onSignedIn} />
            </div>
          </details>
        ) : (
          <TokenForm onSignedIn={onSignedIn} />
        )}
      </div>
    </main>
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

/** The default way to sign in if the service has an issuer. Afterwards the person returns to the wanted page. */
function WithIssuer({ login }: { login: Login }) {
  const { t } = useTranslation();
  const [isLeaving, setLeaving] = useState(false);
  const [error, setError] = useState<Error>();
  const leave = async () => {
    setLeaving(true);
    try {
      const { goToIssuer } = await fetchPart(() => import('./issuer.ts'));
      await goToIssuer(login, location.pathname + location.search + location.hash);
    } catch (problem) {
      setError(problem as Error);
      setLeaving(false);
    }
  };
  return (
    <div className="space-y-4">
      {error && <Problem error={wordSignInError(error, t)} />}
      <Button look="main" className="w-full" disabled={isLeaving} onClick={() => void leave()}>
        {t('access.withIssuer', { host: new URL(login.issuer).host })}
      </Button>
    </div>
  );
}
