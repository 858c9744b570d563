import i18next from 'i18next';

/** The i18next namespace of the messages by code. English has none: there the service's own sentence says more. */
export const ERROR_MESSAGES = 'error-messages';

/** The message of an error code in the page's language; undefined where the service's own sentence is to be shown. */
export function messageOfCode(code: string | undefined): string | undefined {
  if (code === undefined) return undefined;
  return i18next.getResource(i18next.language, ERROR_MESSAGES, code) as string | undefined;
}
