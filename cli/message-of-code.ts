import chinese from '../lib/error-messages/zh-CN.json' with { type: 'json' };

/**
 * Returns the message of an error code in the terminal's language; undefined if the service's English message should be
 * shown.
 */
export function messageOfCode(code: string | null, environment = process.env): string | undefined {
  if (!isChinese(environment) || code === null) return undefined;
  return (chinese as Partial<Record<string, string>>)[code];
}

/** Returns whether the terminal's language is Chinese. */
export function isChinese({ LC_ALL, LC_MESSAGES, LANG }: NodeJS.ProcessEnv): boolean {
  return /^zh/i.test(LC_ALL || LC_MESSAGES || LANG || '');
}

/** Replaces the service's advice to choose another model, because only its console has a field for that. */
const HOW_TO_CHOOSE = {
  en: 'Set LLM_MODEL where the service starts.',
  zh: '请在启动服务处设置 LLM_MODEL。',
};

/**
 * Returns the message of the code in the user's language, with the service's own message as detail, or only the
 * service's message.
 */
export function withTranslation(code: string | null, said: string): string {
  const translated = messageOfCode(code);
  const text = translated === undefined ? said : `${translated} (${said})`;
  return code === 'model_not_found' ? `${text} ${HOW_TO_CHOOSE[isChinese(process.env) ? 'zh' : 'en']}` : text;
}
