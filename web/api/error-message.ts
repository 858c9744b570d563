import i18next from 'i18next';

/** The i18next namespace of messages by code. */
const ERROR_MESSAGES = 'error-messages';

/** English needs none: the service writes its own messages in English, and they are more specific. */
const BY_LANGUAGE: Record<string, () => Promise<{ default: Record<string, string> }>> = {
  'zh-CN': () => import('../../lib/error-messages/zh-CN.json'),
};

/**
 * Fetches the messages of a language once. They aren't in the first load, because most visits see no error. Without
 * them, the service's own messages are shown.
 */
export async function fetchErrorMessages(language = i18next.language): Promise<void> {
  const load = BY_LANGUAGE[language];
  if (load === undefined || i18next.hasResourceBundle(language, ERROR_MESSAGES)) return;
  const messages = await load().catch(() => undefined);
  if (messages !== undefined) i18next.addResourceBundle(language, ERROR_MESSAGES, messages.default);
}

/**
 * Returns the message of an error code in the page's language; undefined if the service's own message should be shown.
 */
export function messageOfCode(code: string | undefined): string | undefined {
  if (code === undefined) return undefined;
  return i18next.getResource(i18next.language, ERROR_MESSAGES, code) as string | undefined;
}
