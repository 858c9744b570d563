import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../lib/api-contract/schema.ts';
import { api } from '../api/client.ts';
import { useChange } from '../api/use-change.ts';

/**
 * Opens the example's conversation at its first question. Creates the example if there is none in the reader's
 * language.
 */
export function useOpenExample() {
  const { i18n } = useTranslation();
  const navigate = useNavigate();
  return useChange({ rereads: [['workspaces']] }, async () => {
    const language = i18n.language === 'zh-CN' ? 'zh-CN' : 'en';
    const { data, response } = await api.POST('/api/workspaces/example', { body: { language } });
    const { id: workspaceId, conversationId } = data as Schemas['ExampleWorkspace'];
    // Without a sync, a folder that isn't watched would be shown as unchecked.
    if (response.status === 201)
      void api
        .POST('/api/workspaces/{workspaceId}/sync', { params: { path: { workspaceId } } })
        .catch(() => {});
    await navigate({
      to: '/w/$workspaceId/chat/$conversationId',
      params: { workspaceId, conversationId },
      state: { isFromStart: true },
    });
  });
}
