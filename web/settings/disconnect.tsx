import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../parts/button.tsx';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { type Connection, useDisconnect } from './model-connections.ts';
import { hostOf } from './provider-name.ts';

interface Props {
  connection: Connection;
  onDone: () => void;
}

export function Disconnect({ connection: { provider, baseUrl }, onDone }: Props) {
  const { t } = useTranslation();
  const host = hostOf({ [provider]: { baseUrl } }, provider);
  const remove = useDisconnect(provider);
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button look="danger" onClick={() => setAsking(true)}>
        {t('parts.remove')}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t('models.removeAsk', { name: host ?? t(`models.tiles.${provider}`) })}
          note={t('models.removeNote')}
          action={t('parts.remove')}
          doing={remove}
          onConfirm={() => remove.mutate(undefined, { onSuccess: () => onDone() })}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
