import i18next from 'i18next';

/**
 * The i18next namespace of messages by code. English has none, because the service's own messages are more
 * specific.
 */
export const ERROR_MESSAGES = 'error-messages';

/**
 * Returns the message of an error code in the page's language; undefined if the service's own message should be shown.
 */
export function messageOfCode(code: string | undefined): string | undefined {
  if (code === undefined) return undefined;
  return i18next.getResource(i18next.language, ERROR_MESSAGES, code) as string | undefined;
}
