import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { fetchErrorMessages } from '../api/error-message.ts';
import { fetchPart } from '../api/fetch-part.ts';
import { FIRST } from './en/first.ts';
import type { LATER } from './en/later.ts';

/**
 * A language is a folder next to this file, a line here, and its parts in `PARTS`. A test requires that all languages
 * have the same keys.
 */
export const LANGUAGES = { en: 'English', 'zh-CN': '简体中文' } as const;
export type Language = keyof typeof LANGUAGES;

const KEPT = 'language';

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: typeof FIRST & typeof LATER };
  }
}

/**
 * Starts i18next with English. English is part of the first load, because it's also used if another language
 * can't be fetched.
 */
export async function startLanguages(): Promise<void> {
  i18next.on('languageChanged', (language) => {
    document.documentElement.lang = language;
  });
  await i18next.use(initReactI18next).init({
    lng: 'en',
    fallbackLng: 'en',
    resources: { en: { translation: FIRST } },
    react: { bindI18nStore: 'added' }, // the frame appears before the strings of its page are loaded
    interpolation: { escapeValue: false }, // React escapes
  });
  const wanted = readKept() ?? preferred();
  if (wanted !== 'en') await chooseLanguage(wanted).catch(() => {});
}

/** Strings that aren't in the first load: `later` for the pages, `firstUse` for the first page without a workspace. */
type Part = 'later' | 'firstUse';

const PARTS = {
  en: {
    later: async () => (await fetchPart(() => import('./en/later.ts'))).LATER,
    firstUse: async () => (await fetchPart(() => import('./en/first-use.ts'))).FIRST_USE,
  },
  'zh-CN': {
    later: async () => (await import('./zh-CN/later.ts')).LATER,
    firstUse: async () => (await import('./zh-CN/first-use.ts')).FIRST_USE,
  },
};

/** The last selected language, whose strings may still be loading. */
let chosen: Language = 'en';
const opened = new Set<Part>();

/** Makes a page wait for its strings, which are fetched together with it. */
export function withCatalog<View>(fetchView: () => Promise<View>): () => Promise<View> {
  return withWords(fetchView, 'later');
}

/** Makes the first page without a workspace wait for its strings, like withCatalog. */
export function withFirstUseCatalog<View>(fetchView: () => Promise<View>): () => Promise<View> {
  return withWords(fetchView, 'firstUse');
}

function withWords<View>(fetchView: () => Promise<View>, part: Part) {
  return async () => {
    opened.add(part);
    const languages = [...new Set([i18next.language as Language, chosen])];
    const words = languages.map((language) => addPart(language, part));
    const [view] = await Promise.all([fetchPart(fetchView), ...words]);
    return view;
  };
}

/** Adds strings, and the messages of errors, which pages also show for what is stored. */
async function addPart(language: Language, part: Part): Promise<void> {
  await Promise.all([addWords(language, part), part === 'later' && fetchErrorMessages(language)]);
}

/** Adds strings. If they can't be fetched, the English ones are shown. */
async function addWords(language: Language, part: Part): Promise<void> {
  const words = await PARTS[language][part]().catch((error: unknown) => {
    if (language === 'en') throw error;
  });
  if (words === undefined) await addWords('en', part);
  else i18next.addResourceBundle(language, 'translation', words, true);
}

/** Selects a language, and waits for the strings of open pages. */
export async function chooseLanguage(language: Language): Promise<void> {
  const before = chosen;
  chosen = language;
  try {
    if (language === 'zh-CN') await addFirstChinese();
    await Promise.all([...opened].map((part) => addWords(language, part)));
    if (opened.size > 0) await fetchErrorMessages(language);
  } catch (error) {
    chosen = before;
    throw error;
  }
  localStorage.setItem(KEPT, language);
  await i18next.changeLanguage(language);
}

async function addFirstChinese(): Promise<void> {
  const { FIRST: words } = await import('./zh-CN/first.ts');
  i18next.addResourceBundle('zh-CN', 'translation', words, true);
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
