import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api, take } from '../api/client.ts';
import { useChange } from '../api/use-change.ts';

/** Opens the conversation of the example, which is created if there is none in the reader's language. */
export function useOpenExample() {
  const { i18n } = useTranslation();
  const navigate = useNavigate();
  return useChange({ rereads: [['workspaces']] }, async () => {
    const language = i18n.language === 'zh-CN' ? 'zh-CN' : 'en';
    const made = await take(api.POST('/api/workspaces/example', { body: { language } }));
    const { id: workspaceId, conversationId } = made;
    await navigate({ to: '/w/$workspaceId/chat/$conversationId', params: { workspaceId, conversationId } });
  });
}
