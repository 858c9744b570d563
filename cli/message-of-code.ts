import chinese from '../lib/error-messages/zh-CN.json' with { type: 'json' };

/** The message of an error code in the language of the terminal; undefined where the service's English sentence is to be shown. */
export function messageOfCode(code: string | null, environment = process.env): string | undefined {
  const { LC_ALL, LC_MESSAGES, LANG } = environment;
  const language = LC_ALL || LC_MESSAGES || LANG || '';
  if (!/^zh/i.test(language) || code === null) return undefined;
  return (chinese as Partial<Record<string, string>>)[code];
}
