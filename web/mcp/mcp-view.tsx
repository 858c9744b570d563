import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../access/role.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { formatAgo } from '../parts/format.ts';
import { LoadedRows } from '../parts/loaded.tsx';
import { Page } from '../parts/page.tsx';
import { PageHead } from '../shell/page-head.tsx';
import { NewServerDialog } from './new-server-dialog.tsx';
import { type McpServer, useMcpServers, useRemoveMcpServer } from './queries.ts';
import { ServerTools } from './server-tools.tsx';

export function McpView() {
  const { t } = useTranslation();
  const { workspaceId } = useParams({ from: '/w/$workspaceId' });
  const servers = useMcpServers(workspaceId);
  const may = useMay('member', workspaceId);
  const [isAdding, setAdding] = useState(false);
  return (
    <Page isWide>
      <PageHead
        title={t('mcp.title')}
        note={t('mcp.note')}
        actions={
          may && (
            <Button look="main" icon="plus" onClick={() => setAdding(true)}>
              {t('mcp.new')}
            </Button>
          )
        }
      />
      <LoadedRows
        query={servers}
        rows={3}
        rowClass="h-16"
        label={t('mcp.title')}
        empty={<EmptyState icon="plug" title={t('mcp.none')} next={t('mcp.noneNext')} />}
      >
        {(server) => <ServerRow key={server.id} server={server} mayChange={may} />}
      </LoadedRows>
      {isAdding && <NewServerDialog workspaceId={workspaceId} onClose={() => setAdding(false)} />}
    </Page>
  );
}

function ServerRow({ server, mayChange }: { server: McpServer; mayChange: boolean }) {
  const { t, i18n } = useTranslation();
  const [isLeaving, setLeaving] = useState(false);
  const { name, url, headerNames, createdBy, createdAt } = server;
  return (
    <li className="flex items-start gap-3 px-4 py-3 text-sm">
      <div className="min-w-0 flex-1">
        <p className="font-medium break-all">{name}</p>
        <p className="font-mono text-xs break-all">{url}</p>
        <p className="mt-1 text-xs break-words text-muted">
          {t('mcp.tools', { pattern: `mcp__${name}__…` })}
          {headerNames.length > 0 && ` · ${t('mcp.withHeaders', { names: headerNames.join(', ') })}`}
          {` · ${t('mcp.by', { who: createdBy, ago: formatAgo(createdAt, i18n.language) })}`}
        </p>
        <ServerTools server={server} />
      </div>
      {mayChange && (
        <IconButton icon="trash" label={t('mcp.removeOf', { name })} onClick={() => setLeaving(true)} />
      )}
      {isLeaving && <RemoveServer server={server} onClose={() => setLeaving(false)} />}
    </li>
  );
}

function RemoveServer({ server, onClose }: { server: McpServer; onClose: () => void }) {
  const { t } = useTranslation();
  const remove = useRemoveMcpServer(server.workspaceId);
  return (
    <ConfirmDialog
      title={t('mcp.removeTitle', { name: server.name })}
      note={t('mcp.removeNote')}
      action={t('parts.remove')}
      doing={remove}
      onConfirm={() => remove.mutate(server.name, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
