import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { ERROR_MESSAGES } from '../api/error-message.ts';
import { fetchPart } from '../api/fetch-part.ts';
import { FIRST } from './en/first.ts';
import type { LATER } from './en/later.ts';

/** A language is a folder next to this file, a line here, and one in `load`. A test requires that all have the same keys. */
export const LANGUAGES = { en: 'English', 'zh-CN': '简体中文' } as const;
export type Language = keyof typeof LANGUAGES;

const KEPT = 'language';

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: typeof FIRST & typeof LATER };
  }
}

/** English is in the first load: it also says what another file cannot be fetched for. */
export async function startLanguages(): Promise<void> {
  i18next.on('languageChanged', (language) => {
    document.documentElement.lang = language;
  });
  await i18next.use(initReactI18next).init({
    lng: 'en',
    fallbackLng: 'en',
    resources: { en: { translation: FIRST } },
    react: { bindI18nStore: 'added' }, // the frame is shown before the strings of its page are loaded
    interpolation: { escapeValue: false }, // React escapes
  });
  const wanted = readKept() ?? preferred();
  if (wanted !== 'en') await chooseLanguage(wanted).catch(() => {});
}

/** Makes a page wait for its strings. */
export function withCatalog<View>(fetchView: () => Promise<View>): () => Promise<View> {
  return withWords(fetchView, async () => (await fetchPart(() => import('./en/later.ts'))).LATER);
}

/** The same for what the first page shows while there is no workspace. */
export function withFirstUseCatalog<View>(fetchView: () => Promise<View>): () => Promise<View> {
  return withWords(fetchView, async () => (await fetchPart(() => import('./en/first-use.ts'))).FIRST_USE);
}

function withWords<View>(fetchView: () => Promise<View>, fetchWords: () => Promise<object>) {
  return async () => {
    const [view, words] = await Promise.all([fetchPart(fetchView), fetchWords()]);
    i18next.addResourceBundle('en', 'translation', words, true);
    return view;
  };
}

export async function chooseLanguage(language: Language): Promise<void> {
  if (language === 'zh-CN' && !i18next.hasResourceBundle(language, 'translation')) {
    const { CHINESE, ERRORS } = await import('./zh-CN/all.ts');
    i18next.addResourceBundle(language, 'translation', CHINESE);
    i18next.addResourceBundle(language, ERROR_MESSAGES, ERRORS);
  }
  localStorage.setItem(KEPT, language);
  await i18next.changeLanguage(language);
}

function readKept(): Language | undefined {
  const kept = localStorage.getItem(KEPT);
  return kept !== null && kept in LANGUAGES ? (kept as Language) : undefined;
}

function preferred(): Language {
  return navigator.languages
    .find((each) => /^(zh|en)\b/i.test(each))
    ?.toLowerCase()
    .startsWith('zh') === true
    ? 'zh-CN'
    : 'en';
}
