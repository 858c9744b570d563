import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { pastedUrl } from '../../lib/api-contract/pasted.ts';
import { holdsLogin } from '../git/holds-login.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { useDraft } from '../parts/draft.ts';
import { Field, INPUT } from '../parts/field.tsx';
import { FormDialog } from '../parts/form.tsx';
import { useAddMcpServer } from './queries.ts';

interface Header {
  key: number;
  name: string;
  value: string;
}

/**
 * Adds an MCP server. Name and URL survive a reload. Header values don't, and neither does a URL with a login
 * or a query, because these may be secrets.
 */
export function NewServerDialog({ workspaceId, onClose }: { workspaceId: string; onClose: () => void }) {
  const { t } = useTranslation();
  const add = useAddMcpServer(workspaceId);
  const [name, setName] = useDraft(`mcp name ${workspaceId}`);
  const [url, setUrl] = useDraft(`mcp url ${workspaceId}`, mayHoldKey);
  const [headers, setHeaders] = useState<Header[]>([]);
  const submit = () => {
    const given = Object.fromEntries(
      headers.map((header) => [header.name.trim().replace(/:$/, ''), header.value]),
    );
    const done = () => {
      setName('');
      setUrl('');
      onClose();
    };
    add.mutate({ name: name.trim(), url: url.trim(), headers: given }, { onSuccess: done });
  };
  return (
    <FormDialog
      title={t('mcp.new')}
      onClose={onClose}
      onSend={submit}
      sending={add}
      isWhole={name.trim() !== '' && url.trim() !== ''}
      action={t('parts.add')}
    >
      <Field
        label={t('mcp.name')}
        hint={t('mcp.nameHint')}
        required
        maxLength={24}
        value={name}
        onChange={setName}
      />
      <Field
        label={t('mcp.url')}
        hint={t('mcp.urlHint')}
        required
        inputMode="url"
        reads={pastedUrl}
        maxLength={2048}
        value={url}
        onChange={setUrl}
      />
      <Headers headers={headers} onChange={setHeaders} />
    </FormDialog>
  );
}

function mayHoldKey(address: string): boolean {
  return holdsLogin(address) || /[?#]/.test(address);
}

function Headers({ headers, onChange }: { headers: Header[]; onChange: (headers: Header[]) => void }) {
  const { t } = useTranslation();
  const change = (key: number, changed: Partial<Header>) =>
    onChange(headers.map((header) => (header.key === key ? { ...header, ...changed } : header)));
  const more = () => {
    const key = Math.max(-1, ...headers.map((header) => header.key)) + 1;
    onChange([...headers, { key, name: key === 0 ? 'authorization' : '', value: '' }]);
  };
  return (
    <fieldset className="space-y-2">
      <legend className="text-sm font-medium">{t('mcp.headers')}</legend>
      <p className="text-xs text-muted">{t('mcp.headersNote')}</p>
      {headers.map(({ key, name, value }) => (
        <div key={key} className="flex items-center gap-2">
          <input
            aria-label={t('mcp.header')}
            placeholder={t('mcp.header')}
            required
            maxLength={64}
            value={name}
            onChange={({ target }) => change(key, { name: target.value })}
            className={INPUT}
          />
          <input
            type="password"
            autoComplete="off"
            aria-label={t('mcp.value')}
            placeholder={t('mcp.value')}
            required
            value={value}
            onChange={({ target }) => change(key, { value: target.value })}
            className={INPUT}
          />
          <IconButton
            icon="trash"
            label={t('mcp.removeHeader', { name })}
            onClick={() => onChange(headers.filter((header) => header.key !== key))}
          />
        </div>
      ))}
      <Button icon="plus" onClick={more}>
        {t('mcp.newHeader')}
      </Button>
    </fieldset>
  );
}
