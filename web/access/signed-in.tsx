import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, take } from '../api/client.ts';
import { fetchPart } from '../api/fetch-part.ts';
import { Skeletons } from '../parts/empty-state.tsx';
import { Problem } from '../parts/problem.tsx';
import { useHealth } from '../settings/queries.ts';
import { AccessCard } from './access-card.tsx';
import { IssuerButton } from './issuer-button.tsx';
import { SignInError, wordSignInError } from './sign-in-error.ts';

/** The page to which the issuer redirects. The parameters in its URL are used once, then removed. */
export function SignedIn({ onSignedIn }: { onSignedIn: (returnTo: string) => void }) {
  const { t } = useTranslation();
  const [error, setError] = useState<Error>();
  const login = useHealth().data?.login;
  const begun = useRef(false);
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    const address = new URL(location.href);
    history.replaceState(null, '', address.pathname);
    enter(address).then(onSignedIn, setError);
  }, [onSignedIn]);
  if (error === undefined)
    return (
      <main id="main" className="mx-auto w-full max-w-xl p-8">
        <Skeletons />
      </main>
    );
  return (
    <AccessCard title={t('access.title')}>
      <Problem error={wordSignInError(error, t)} />
      {login && <IssuerButton login={login} isForAnother />}
      <a href="/" className="block text-sm text-accent underline">
        {t('access.again')}
      </a>
    </AccessCard>
  );
}

async function enter(address: URL): Promise<string> {
  const [{ login }, { comeBack }, { keepSession }] = await Promise.all([
    take(api.GET('/api/health')),
    fetchPart(() => import('./issuer.ts')),
    fetchPart(() => import('./session.ts')),
  ]);
  if (!login) throw new SignInError('access.noIssuer');
  const { returnTo, ...session } = await comeBack(login, address);
  keepSession(login, session);
  return returnTo;
}
