import { useTranslation } from 'react-i18next';
import type { ApiError } from '../api/client.ts';
import { Button } from '../parts/button.tsx';
import { Problem } from '../parts/problem.tsx';
import { useHealth } from '../settings/queries.ts';
import { AccessCard } from './access-card.tsx';
import { credential, signOut } from './credential.ts';
import { IssuerButton } from './issuer-button.tsx';
import { tokenUser } from './token-user.ts';

/**
 * Tells people whom the issuer knows but the service doesn't which account they used, and lets them change
 * it.
 */
export function NoRole({ error }: { error: ApiError }) {
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
