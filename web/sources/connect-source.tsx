import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Details } from '../parts/details.tsx';
import { Field } from '../parts/field.tsx';
import { FormDialog } from '../parts/form.tsx';
import { OutwardLink } from '../parts/outward-link.tsx';
import { type SourceKind, useConnectSource } from './queries.ts';

const NEW_KEY = 'https://www.zotero.org/settings/keys/new';

type Setting =
  | 'apiKey'
  | 'groupId'
  | 'url'
  | 'user'
  | 'password'
  | 'bucket'
  | 'region'
  | 'accessKeyId'
  | 'secretAccessKey'
  | 'prefix'
  | 'endpoint';

/** The settings that each kind needs, and those that it may have. */
const FORMS: Record<SourceKind, { name: string; needed: Setting[]; more: Setting[] }> = {
  zotero: { name: 'Zotero', needed: ['apiKey'], more: ['groupId'] },
  webdav: { name: 'WebDAV', needed: ['url', 'user', 'password'], more: [] },
  s3: {
    ...{ name: 'S3', needed: ['bucket', 'region', 'accessKeyId', 'secretAccessKey'] },
    more: ['prefix', 'endpoint'],
  },
};
const SECRETS: Setting[] = ['apiKey', 'password', 'secretAccessKey'];
const MAX_LENGTHS: Partial<Record<Setting, number>> = { apiKey: 120, groupId: 15, region: 40, bucket: 63 };

interface Props {
  workspaceId: string;
  kind: SourceKind;
  onClose: () => void;
}

/** Asks for the settings. They aren't stored as a draft, because one of them is a secret. */
export function ConnectSource({ workspaceId, kind, onClose }: Props) {
  const { t } = useTranslation();
  const connect = useConnectSource(workspaceId);
  const { needed, more, ...form } = FORMS[kind];
  const [name, setName] = useState(form.name);
  const [texts, setTexts] = useState<Partial<Record<Setting, string>>>({});
  const text = (setting: Setting) => texts[setting]?.trim() ?? '';
  const isWhole = needed.every((setting) => text(setting) !== '') && /^\d*$/.test(text('groupId'));
  const submit = () => {
    const given = [...needed, ...more].filter((setting) => text(setting) !== '');
    const config = Object.fromEntries(
      given.map((setting) => [setting, setting === 'groupId' ? Number(text(setting)) : text(setting)]),
    );
    connect.mutate({ name: name.trim(), kind, config }, { onSuccess: onClose });
  };
  const field = (setting: Setting) => (
    <Field
      key={setting}
      label={t(`sources.fields.${setting}`)}
      hint={t(`sources.hints.${setting}`)}
      type={SECRETS.includes(setting) ? 'password' : 'text'}
      {...(setting === 'groupId' && { inputMode: 'numeric' as const })}
      autoComplete="off"
      required={needed.includes(setting)}
      maxLength={MAX_LENGTHS[setting] ?? 1000}
      value={texts[setting] ?? ''}
      onChange={(value) => setTexts({ ...texts, [setting]: value })}
    />
  );
  return (
    <FormDialog
      title={t(`sources.connect.${kind}`)}
      action={t('sources.connectNow')}
      sending={connect}
      isWhole={name.trim() !== '' && isWhole}
      onSend={submit}
      onClose={onClose}
    >
      {needed.map(field)}
      {kind === 'zotero' && (
        <p className="text-sm">
          <OutwardLink href={NEW_KEY} text={t('sources.newKey')} />
        </p>
      )}
      <p className="text-xs text-muted">{t('sources.sharedNote')}</p>
      <Details name={t(`sources.more.${kind}`)}>
        <div className="space-y-4">
          <Field
            label={t('sources.name')}
            hint={t('sources.nameHint')}
            required
            maxLength={60}
            value={name}
            onChange={setName}
          />
          {more.map(field)}
        </div>
      </Details>
    </FormDialog>
  );
}
