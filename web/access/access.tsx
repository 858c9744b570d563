import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useState } from 'react';
import { ApiError, api, take } from '../api/client.ts';
import { fetchPart } from '../api/fetch-part.ts';
import { queries } from '../api/queries.ts';
import { Skeletons } from '../parts/empty-state.tsx';
import { Problem } from '../parts/problem.tsx';
import { keepFor, whenForgotten } from './credential.ts';
import { REDIRECT_PATH } from './redirect.ts';
import { meKey } from './role.ts';
import { SignedIn } from './signed-in.tsx';

/** Fetched when needed, because most callers are signed in. */
export const fetchSignIn = () => fetchPart(() => import('./sign-in.tsx'));
const SignIn = lazy(async () => ({ default: (await fetchSignIn()).SignIn }));
const NoRole = lazy(async () => ({ default: (await fetchPart(() => import('./no-role.tsx'))).NoRole }));

/**
 * Shows the console to permitted callers: everyone on this host without sign-in, otherwise callers with a
 * token. Behind the sign-in page, typed text stays mounted.
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
  // The first reason stays: requests after the token's end have no token, and are refused too. Before the
  // query, because its first request may find that the token has expired.
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
  if (out !== undefined || refused)
    return (
      <Suspense fallback={<Waiting />}>
        <SignIn hasEnded={out === 'ended'} onSignedIn={comeIn} />
      </Suspense>
    );
  if (asked.error instanceof ApiError && asked.error.code === 'role_unknown')
    return (
      <Suspense fallback={<Waiting />}>
        <NoRole error={asked.error} />
      </Suspense>
    );
  if (asked.isSuccess) return children;
  return <Waiting>{asked.error && <Problem error={asked.error} onRetry={() => asked.refetch()} />}</Waiting>;
}

function Waiting({ children }: { children?: ReactNode }) {
  return (
    <main id="main" className="mx-auto w-full max-w-xl p-8">
      {children || <Skeletons />}
    </main>
  );
}
