import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Details } from '../parts/details.tsx';
import { EmptyState, Skeletons } from '../parts/empty-state.tsx';
import { Problem } from '../parts/problem.tsx';
import { ServiceText } from '../parts/service-text.tsx';
import { ActionBadge } from '../permissions/action-badge.tsx';
import { type McpServer, type RemoteTool, useServerTools } from './queries.ts';

/**
 * A server's tools, collapsed by default, because the server is called only when they are opened. The URL
 * names the open one.
 */
export function ServerTools({ server }: { server: McpServer }) {
  const { t } = useTranslation();
  const { name } = server;
  const isOpen = useSearch({ from: '/w/$workspaceId/mcp' }).server === name;
  const navigate = useNavigate({ from: '/w/$workspaceId/mcp' });
  const show = (isShown: boolean) =>
    void navigate({ search: { server: isShown ? name : undefined }, replace: true });
  return (
    <Details name={t('mcp.toolsOf', { name })} opened={{ isOpen, onChange: show }}>
      <ToolList server={server} />
    </Details>
  );
}

/** A list of tools. A tool's description comes from the server, and is shown as plain text. */
function ToolList({ server }: { server: McpServer }) {
  const { t } = useTranslation();
  const { data, error, isFetching, isPending, askAgain } = useServerTools(server);
  const { tools = [], notices = [] } = data ?? {};
  return (
    <div aria-busy={isFetching} className="space-y-3">
      {error && !isFetching && <Problem error={error} onRetry={() => void askAgain()} />}
      {(isPending || (error && isFetching)) && (
        <>
          <p role="status" className="text-xs text-muted">
            {t('mcp.asking')}
          </p>
          <Skeletons rows={3} className="h-12" />
        </>
      )}
      {data && tools.length === 0 && (
        <EmptyState icon="plug" title={t('mcp.noTools')} next={t('mcp.noToolsNext')} />
      )}
      {tools.length > 0 && (
        <>
          <p className="text-xs text-muted">{t('mcp.descriptionNote')}</p>
          <ul aria-label={t('mcp.toolsOf', { name: server.name })} className="divide-y divide-line">
            {tools.map((tool) => (
              <Tool key={tool.name} tool={tool} />
            ))}
          </ul>
        </>
      )}
      {notices.map((notice) => (
        <div key={notice} className="text-xs break-words text-muted">
          <ServiceText text={notice} />
        </div>
      ))}
    </div>
  );
}

function Tool({ tool: { name, description, action } }: { tool: RemoteTool }) {
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-1 py-2">
      <code className="min-w-0 flex-1 basis-40 font-mono text-xs font-medium break-all">{name}</code>
      <ActionBadge action={action} />
      <p data-user-content className="basis-full text-xs break-words whitespace-pre-wrap text-muted">
        {description}
      </p>
    </li>
  );
}
