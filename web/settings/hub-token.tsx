import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { Field } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { type Settings, useChangeSettings } from './queries.ts';
import { Saved } from './saved.tsx';

/** The form for a token. The token can be set and removed, but is never shown. */
export function HubToken({ settings: { hubAToken } }: { settings: Settings }) {
  const { t } = useTranslation();
  const change = useChangeSettings();
  const [token, setToken] = useState('');
  const [isRemoving, setRemoving] = useState(false);
  const save = () => change.mutate({ hubAToken: token.trim() }, { onSuccess: () => setToken('') });
  return (
    <Card title={t('settings.hub')}>
      <Form onSend={save} sending={change} isWhole={token.trim() !== ''}>
        <Badge look={hubAToken.configured ? 'good' : 'calm'}>
          {t(`settings.hubSource.${hubAToken.source ?? 'none'}`)}
        </Badge>
        <Field
          label={t('settings.hubToken')}
          hint={t('settings.hubHint')}
          type="password"
          autoComplete="off"
          maxLength={1000}
          value={token}
          onChange={setToken}
        />
        <div className="flex flex-wrap gap-2">
          <Button look="main" type="submit" disabled={token.trim() === '' || change.isPending}>
            {t('parts.save')}
          </Button>
          {hubAToken.source === 'settings' && (
            <Button look="danger" onClick={() => setRemoving(true)}>
              {t('parts.remove')}
            </Button>
          )}
        </div>
        <Saved change={change} />
      </Form>
      {isRemoving && (
        <ConfirmDialog
          title={t('settings.hubRemove')}
          note={t('settings.hubRemoveNote')}
          action={t('parts.remove')}
          doing={change}
          onConfirm={() => change.mutate({ hubAToken: null }, { onSuccess: () => setRemoving(false) })}
          onClose={() => setRemoving(false)}
        />
      )}
    </Card>
  );
}
