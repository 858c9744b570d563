import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '../parts/banner.tsx';
import { type NewToken, type Token, useUpdateToken } from './queries.ts';
import { TokenForm } from './token-form.tsx';

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
