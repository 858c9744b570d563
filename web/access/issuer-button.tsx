import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fetchPart } from '../api/fetch-part.ts';
import { Button } from '../parts/button.tsx';
import { Problem } from '../parts/problem.tsx';
import type { Login } from './issuer.ts';
import { REDIRECT_PATH } from './redirect.ts';
import { wordSignInError } from './sign-in-error.ts';

interface Props {
  login: Login;
  /** True to ask for another account than that of the issuer's session. */
  isForAnother?: boolean;
}

/**
 * The default way to sign in if the service has an issuer. Afterwards, the person returns to the wanted page.
 */
export function IssuerButton({ login, isForAnother = false }: Props) {
  const { t } = useTranslation();
  const [isLeaving, setLeaving] = useState(false);
  const [error, setError] = useState<Error>();
  const leave = async () => {
    setLeaving(true);
    try {
      const { goToIssuer } = await fetchPart(() => import('./issuer.ts'));
      await goToIssuer(login, wantedPage(), isForAnother);
    } catch (problem) {
      setError(problem as Error);
      setLeaving(false);
    }
  };
  return (
    <div className="space-y-4">
      {error && <Problem error={wordSignInError(error, t)} />}
      <Button look="main" className="w-full" disabled={isLeaving} onClick={() => void leave()}>
        {isForAnother ? t('access.another') : t('access.withIssuer', { host: new URL(login.issuer).host })}
      </Button>
    </div>
  );
}

function wantedPage(): string {
  const { pathname, search, hash } = location;
  return pathname === REDIRECT_PATH ? '/' : pathname + search + hash;
}
