import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '../parts/banner.tsx';
import { useFormDraft } from '../parts/draft.ts';
import { SelectField } from '../parts/field.tsx';
import { FormDialog } from '../parts/form.tsx';
import { TokenSecret } from './new-token-dialog.tsx';
import { type NewToken, type Token, useRotateToken, useUpdateToken } from './queries.ts';
import { EndField, KEEP, TokenForm } from './token-form.tsx';
import { endAfter } from './token-state.ts';

interface Props {
  token: Token;
  isOwn: boolean;
  onClose: () => void;
}

/** Sends only the fields that differ from the token as it was shown, so that other administrators' changes stay. */
export function EditTokenDialog({ token, isOwn, onClose }: Props) {
  const { t } = useTranslation();
  const [present] = useState(token);
  const update = useUpdateToken();
  const { id, name, role, workspaceIds } = present;
  return (
    <TokenForm
      title={t('tokens.editTitle', { name })}
      action={t('parts.save')}
      purpose={`token ${JSON.stringify([id, name, role, workspaceIds])}`}
      present={present}
      note={isOwn && <Banner look="warn">{t('tokens.editOwn')}</Banner>}
      sending={update}
      onSend={(fields, drop) => {
        const onSuccess = () => {
          drop();
          onClose();
        };
        update.mutate({ tokenId: id, ...differing(present, fields) }, { onSuccess });
      }}
      onClose={onClose}
    />
  );
}

function differing(present: NewToken, fields: NewToken): Partial<NewToken> {
  const names = Object.keys(fields) as (keyof NewToken)[];
  const changed = names.filter((name) => JSON.stringify(fields[name]) !== JSON.stringify(present[name]));
  return Object.fromEntries(changed.map((name) => [name, fields[name]]));
}

const OVERLAPS = ['0', '24', '168', '720'] as const;

/** Gives a token a new secret, and shows it once. */
export function RotateTokenDialog({ token, onClose }: { token: Token; onClose: () => void }) {
  const { t } = useTranslation();
  const rotate = useRotateToken();
  const { draft, drop, field } = useFormDraft(`rotate-${token.id}`, { overlap: '24', end: KEEP });
  if (rotate.data) return <TokenSecret {...rotate.data} onClose={onClose} />;
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
