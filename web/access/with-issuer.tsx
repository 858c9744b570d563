import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../parts/button.tsx';
import { Problem } from '../parts/problem.tsx';
import type { Login } from './issuer.ts';
import { wordSignInError } from './sign-in-error.ts';

/** The default way to sign in if the service has an issuer; afterwards the person returns to the page they wanted. */
export function WithIssuer({ login }: { login: Login }) {
  const { t } = useTranslation();
  const [isLeaving, setLeaving] = useState(false);
  const [error, setError] = useState<Error>();
  const leave = async () => {
    setLeaving(true);
    try {
      const { goToIssuer } = await import('./issuer.ts');
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
