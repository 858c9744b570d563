import { useTranslation } from 'react-i18next';
import { Banner } from '../parts/banner.tsx';
import { Button } from '../parts/button.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field } from '../parts/field.tsx';
import { useCreateToken } from './queries.ts';
import { TokenForm } from './token-form.tsx';

/** Creates a token, and shows its secret once, while the dialog is open. */
export function NewTokenDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const create = useCreateToken();
  if (create.data)
    return <SecretDialog name={create.data.name} secret={create.data.secret} onClose={onClose} />;
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

/** Shows a secret once, while the dialog is open. */
export function SecretDialog({
  name,
  secret,
  onClose,
}: {
  name: string;
  secret: string;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  return (
    <Dialog title={t('tokens.secretOf', { name })} onClose={onClose}>
      <Banner look="warn">{t('tokens.once')}</Banner>
      <div className="mt-4">
        <Field
          label={t('tokens.secret')}
          value={secret}
          readOnly
          autoComplete="off"
          onFocus={({ target }) => target.select()}
        />
      </div>
      <div className="mt-5 flex justify-end gap-2">
        <CopyButton text={secret} />
        <Button look="main" onClick={onClose}>
          {t('tokens.kept')}
        </Button>
      </div>
    </Dialog>
  );
}
