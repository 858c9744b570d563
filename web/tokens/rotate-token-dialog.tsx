import { useTranslation } from 'react-i18next';
import { useFormDraft } from '../parts/draft.ts';
import { SelectField } from '../parts/field.tsx';
import { FormDialog } from '../parts/form.tsx';
import { SecretDialog } from './new-token-dialog.tsx';
import { type Token, useRotateToken } from './queries.ts';
import { EndField, KEEP } from './token-form.tsx';
import { endAfter } from './token-state.ts';

const OVERLAPS = ['0', '24', '168', '720'] as const;

/** Gives a token a new secret, and shows it once. */
export function RotateTokenDialog({ token, onClose }: { token: Token; onClose: () => void }) {
  const { t } = useTranslation();
  const rotate = useRotateToken();
  const { draft, drop, field } = useFormDraft(`rotate-${token.id}`, { overlap: '24', end: KEEP });
  if (rotate.data) return <SecretDialog name={token.name} secret={rotate.data.secret} onClose={onClose} />;
  const send = () => {
    const expiry = draft.end === KEEP ? {} : { expiresAt: endAfter(draft.end) };
    rotate.mutate({ tokenId: token.id, overlapHours: Number(draft.overlap), ...expiry }, { onSuccess: drop });
  };
  return (
    <FormDialog
      title={t('tokens.rotateTitle', { name: token.name })}
      onClose={onClose}
      onSend={send}
      sending={rotate}
      action={t('tokens.rotate')}
    >
      <p className="text-sm text-muted">{t('tokens.rotateNote')}</p>
      <SelectField
        label={t('tokens.overlap')}
        options={OVERLAPS.map((hours) => [hours, t(`tokens.overlaps.${hours}`)])}
        {...field('overlap')}
      />
      <EndField canKeep {...field('end')} />
    </FormDialog>
  );
}
