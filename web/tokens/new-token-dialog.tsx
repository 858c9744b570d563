import { useTranslation } from 'react-i18next';
import { SecretDialog } from '../parts/secret-dialog.tsx';
import { useCreateToken } from './queries.ts';
import { TokenForm } from './token-form.tsx';

/** Creates a token, and shows its secret once, while the dialog is open. */
export function NewTokenDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const create = useCreateToken();
  if (create.data) return <TokenSecret {...create.data} onClose={onClose} />;
  return (
    <TokenForm
      title={t('tokens.new')}
      action={t('tokens.make')}
      purpose="token"
      sending={create}
      onSend={(token, drop) => create.mutate(token, { onSuccess: drop })}
      onClose={onClose}
    />
  );
}

export function TokenSecret({ name, ...shown }: { name: string; secret: string; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <SecretDialog
      title={t('tokens.secretOf', { name })}
      note={t('tokens.once')}
      label={t('tokens.secret')}
      done={t('tokens.kept')}
      secret={shown.secret}
      onClose={shown.onClose}
    />
  );
}
