import { callApi } from '../api/client.ts';
import { saveFile } from '../parts/save-file.ts';

export async function exportConversation(id: string): Promise<void> {
  const response = await callApi(`/api/conversations/${encodeURIComponent(id)}/export`);
  saveFile(await response.blob(), 'conversation.md');
}
