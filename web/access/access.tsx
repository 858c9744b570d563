import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, api, take } from '../api/client.ts';
import { queries } from '../api/queries.ts';
import { Button } from '../parts/button.tsx';
import { Skeletons } from '../parts/empty-state.tsx';
import { Problem } from '../parts/problem.tsx';
import { useHealth } from '../settings/queries.ts';
import { AccessCard } from './access-card.tsx';
import { credential, keepFor, signOut, whenForgotten } from './credential.ts';
import { IssuerButton } from './issuer-button.tsx';
import { REDIRECT_PATH } from './redirect.ts';
import { meKey } from './role.ts';
import { SignIn } from './sign-in.tsx';
import { SignedIn } from './signed-in.tsx';
import { tokenUser } from './token-user.ts';

/**
 * Shows the console to permitted callers: without sign-in everyone on this host, otherwise callers with a token. Typed
 * text stays mounted behind the sign-in page.
 */
export function Access({ children }: { children: ReactNode }) {
  const isBack = useLocation().pathname === REDIRECT_PATH;
  return isBack ? <ComingBack /> : <Guarded>{children}</Guarded>;
}

/** Returns to the wanted page. Accepts only URLs of this console, whatever was stored. */
function ComingBack() {
  const navigate = useNavigate();
  const goOn = useCallback(
    (returnTo: string) => {
      const { pathname, search, hash } = new URL(returnTo, location.origin);
      void navigate({ href: pathname + search + hash, replace: true });
    },
    [navigate],
  );
  return <SignedIn onSignedIn={goOn} />;
}

function Guarded({ children }: { children: ReactNode }) {
  const [out, setOut] = useState<'signed out' | 'ended'>();
  // The first reason stays, because requests after the token's end have none, and are refused too. Before the query,
  // whose first request may find the token expired.
  useEffect(
    () => whenForgotten((hasEnded) => setOut((before) => before ?? (hasEnded ? 'ended' : 'signed out'))),
    [],
  );
  const asked = useQuery({
    queryKey: ['access'],
    queryFn: async () => {
      const me = await take(api.GET('/api/me'));
      keepFor(me.id);
      queries.setQueryData(meKey(), me);
      return me.id;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  const comeIn = async () => {
    setOut(undefined);
    queries.getMutationCache().clear();
    await queries.resetQueries();
  };
  const refused = asked.error instanceof ApiError && asked.error.status === 401;
  if (out !== undefined || refused) return <SignIn hasEnded={out === 'ended'} onSignedIn={comeIn} />;
  if (asked.error instanceof ApiError && asked.error.code === 'role_unknown')
    return <NoRole error={asked.error} />;
  if (asked.isSuccess) return children;
  return (
    <main id="main" className="mx-auto w-full max-w-xl p-8">
      {asked.error ? <Problem error={asked.error} onRetry={() => asked.refetch()} /> : <Skeletons />}
    </main>
  );
}

/** Tells people whom the issuer knows, but the service doesn't, who they are, and lets them change the account. */
function NoRole({ error }: { error: ApiError }) {
  const { t } = useTranslation();
  const login = useHealth().data?.login;
  const { id = '?', name = '?' } = tokenUser(credential() ?? '') ?? {};
  const who = name === id ? name : `${name} (${id})`;
  return (
    <AccessCard title={t('access.noRole')} intro={t('access.signedInAs', { who })}>
      <Problem error={error} />
      <div className="space-y-3">
        {login && <IssuerButton login={login} isForAnother />}
        <Button className="w-full" onClick={signOut}>
          {t('access.signOut')}
        </Button>
      </div>
    </AccessCard>
  );
}
