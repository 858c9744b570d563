import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Details } from '../parts/details.tsx';
import { Field } from '../parts/field.tsx';
import { FormDialog } from '../parts/form.tsx';
import { OutwardLink } from '../parts/outward-link.tsx';
import { useConnectZotero } from './queries.ts';

const NEW_KEY = 'https://www.zotero.org/settings/keys/new';

/** Asks for the API key. It isn't stored as a draft, because it is a secret. */
export function ConnectZotero({ workspaceId, onClose }: { workspaceId: string; onClose: () => void }) {
  const { t } = useTranslation();
  const connect = useConnectZotero(workspaceId);
  const [apiKey, setApiKey] = useState('');
  const [name, setName] = useState('Zotero');
  const [group, setGroup] = useState('');
  const isGroup = /^\d*$/.test(group.trim());
  const submit = () => {
    const groupId = group.trim() === '' ? undefined : Number(group.trim());
    connect.mutate({ name: name.trim(), apiKey: apiKey.trim(), groupId }, { onSuccess: onClose });
  };
  return (
    <FormDialog
      title={t('sources.connect')}
      action={t('sources.connectNow')}
      sending={connect}
      isWhole={apiKey.trim() !== '' && name.trim() !== '' && isGroup}
      onSend={submit}
      onClose={onClose}
    >
      <Field
        label={t('sources.key')}
        hint={t('sources.keyHint')}
        type="password"
        autoComplete="off"
        required
        maxLength={120}
        value={apiKey}
        onChange={setApiKey}
      />
      <p className="text-sm">
        <OutwardLink href={NEW_KEY} text={t('sources.newKey')} />
      </p>
      <p className="text-xs text-muted">{t('sources.sharedNote')}</p>
      <Details name={t('sources.more')}>
        <div className="space-y-4">
          <Field
            label={t('sources.name')}
            hint={t('sources.nameHint')}
            required
            maxLength={60}
            value={name}
            onChange={setName}
          />
          <Field
            label={t('sources.group')}
            hint={t('sources.groupHint')}
            inputMode="numeric"
            maxLength={15}
            value={group}
            onChange={setGroup}
          />
        </div>
      </Details>
    </FormDialog>
  );
}
