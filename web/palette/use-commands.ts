import { useQueries } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hasRole, type Role } from '../../lib/api-contract/roles.ts';
import { credential, signOut } from '../access/credential.ts';
import { useMay, useMayMakeWorkspaces, useMe } from '../access/role.ts';
import { placeOf } from '../files/place.ts';
import { useOpenExample } from '../first-use/use-open-example.ts';
import { chooseLanguage, LANGUAGES, type Language } from '../languages/languages.ts';
import type { IconName } from '../parts/icon.tsx';
import { useSearchResults } from '../search/queries.ts';
import {
  MAIN_ITEMS,
  NAV_GROUPS,
  SERVICE_ITEMS,
  type ServiceItem,
  type WorkspaceItem,
} from '../shell/nav-items.ts';
import { chooseTheme, THEMES } from '../shell/theme.ts';
import { openByKey } from './open-by-key.ts';
import { type Source, WORKSPACE_SOURCES, WORKSPACES } from './sources.ts';

/** A line in the palette: a target or an action. */
export interface Command {
  id: string;
  group: 'go' | 'words' | 'passage' | Source['name'] | 'new' | 'do';
  icon: IconName;
  text: string;
  /** The text on the second line. */
  detail?: string;
  run(): void;
}

const WORKSPACE: WorkspaceItem[] = [...MAIN_ITEMS, ...NAV_GROUPS.flatMap(({ items }) => [...items])];
const SERVICE: ServiceItem[] = [...SERVICE_ITEMS];

/**
 * Returns all targets and actions that are reachable from here. Lists from the service are added when they
 * arrive.
 */
export function useCommands(typed: string): Command[] {
  const { workspaceId } = useParams({ strict: false });
  const pages = usePages(workspaceId);
  const things = useThings(workspaceId, typed);
  return [...pages, ...useNew(workspaceId), ...things, ...useActions()];
}

const PASSAGES = 5;
const MAX_DETAIL = 200;
/** Milliseconds without typing after which a request is sent. */
const REST_MS = 200;

/** Returns the best passages for the typed text, with one request per typing pause. */
export function usePassageCommands(typed: string): { passages: Command[]; isMiss: boolean } {
  const navigate = useNavigate();
  const { workspaceId } = useParams({ strict: false });
  const rested = useRested(workspaceId === undefined ? '' : typed.trim());
  const found = useSearchResults(workspaceId ?? '', rested, { most: PASSAGES });
  if (workspaceId === undefined || rested === '' || rested !== typed.trim())
    return { passages: [], isMiss: false };
  const { data } = found;
  if (data === undefined || found.isPlaceholderData) return { passages: [], isMiss: false };
  const passages = data.isNear ? data.passages : [];
  return {
    isMiss: passages.length === 0 && data.mode !== 'none',
    passages: passages.map((passage) => ({
      id: `passage ${passage.path} ${passage.startLine} ${passage.text.slice(0, 40)}`,
      group: 'passage',
      icon: 'file',
      text: passage.path,
      detail: passage.text.replace(/\s+/g, ' ').slice(0, MAX_DETAIL),
      run: () =>
        void navigate({ to: '/w/$workspaceId/files', params: { workspaceId }, search: placeOf(passage) }),
    })),
  };
}

function useRested(text: string): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), REST_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return rested;
}

/** Returns a command that searches the files for the typed text; it always matches. */
export function useFileSearch(typed: string): Command[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { workspaceId } = useParams({ strict: false });
  const words = typed.trim();
  if (workspaceId === undefined || words === '') return [];
  const run = () =>
    void navigate({ to: '/w/$workspaceId/search', params: { workspaceId }, search: { q: words } });
  return [{ id: 'search', group: 'words', icon: 'search', text: t('palette.searchFiles', { words }), run }];
}

function usePages(workspaceId: string | undefined): Command[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { data: me } = useMe(workspaceId);
  const may = ({ least = 'viewer' }: { least?: Role }) => me !== undefined && hasRole(me, least);
  const here = workspaceId === undefined ? [] : WORKSPACE.filter(may);
  return [...here, ...SERVICE.filter(may)].map(({ to, icon, name }) => ({
    id: to,
    group: 'go',
    icon,
    text: t(name),
    run: () => void navigate({ href: to.replace('$workspaceId', encodeURIComponent(workspaceId ?? '')) }),
  }));
}

/** Returns the items that can be created in a workspace. */
function useNew(workspaceId: string | undefined): Command[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const mayWrite = useMay('member', workspaceId);
  if (workspaceId === undefined) return [];
  const params = { workspaceId };
  const chat = () => void navigate({ to: '/w/$workspaceId/chat', params });
  const note = () => void navigate({ to: '/w/$workspaceId/notes/new', params });
  const files = () => void navigate({ to: '/w/$workspaceId/files', params });
  const commands: Command[] = [
    { id: 'new chat', group: 'new', icon: 'chat', text: t('conversations.new'), run: chat },
    { id: 'new note', group: 'new', icon: 'note', text: t('notes.new'), run: note },
    { id: 'add files', group: 'new', icon: 'upload', text: t('files.upload'), run: files },
  ];
  return mayWrite ? commands : commands.slice(0, 1);
}

function useThings(workspaceId: string | undefined, typed: string): Command[] {
  const navigate = useNavigate();
  const sources: Source[] = [...(workspaceId === undefined ? [] : WORKSPACE_SOURCES), WORKSPACES];
  const lists = useQueries({
    queries: sources.map(({ name, list, searches }) => {
      const words = searches ? typed.trim() : '';
      return {
        queryKey: ['palette', name, workspaceId, words],
        queryFn: () => list(workspaceId ?? '', words),
        retry: false,
      };
    }),
  });
  return lists.flatMap(({ data = [] }, number) =>
    data.map(({ id, text, icon, address }) => ({
      id: `${sources[number]?.name} ${id}`,
      group: sources[number]?.name ?? 'go',
      icon,
      text,
      run: () => void navigate({ href: address }),
    })),
  );
}

function useActions(): Command[] {
  const { t, i18n } = useTranslation();
  const themes = THEMES.map((theme) => ({
    id: `theme ${theme}`,
    icon: 'settings' as const,
    text: `${t('settings.theme')}: ${t(`settings.themes.${theme}`)}`,
    run: () => chooseTheme(theme),
  }));
  const languages = Object.entries(LANGUAGES)
    .filter(([language]) => language !== i18n.language)
    .map(([language, name]) => ({
      id: `language ${language}`,
      icon: 'settings' as const,
      text: `${t('settings.language')}: ${name}`,
      run: () => void chooseLanguage(language as Language),
    }));
  const openExample = useOpenExample();
  const mayMake = useMayMakeWorkspaces();
  const example = {
    id: 'example',
    icon: 'paper' as const,
    text: t('workspaces.openExample'),
    run: () => openExample.mutate(),
  };
  const keys = {
    id: 'keys',
    icon: 'info' as const,
    text: t('palette.keyList'),
    run: () => openByKey('keys'),
  };
  const leave = { id: 'sign out', icon: 'out' as const, text: t('settings.signOut'), run: signOut };
  const actions = [
    ...(mayMake ? [example] : []),
    ...themes,
    ...languages,
    keys,
    ...(credential() === undefined ? [] : [leave]),
  ];
  return actions.map((action) => ({ ...action, group: 'do' }));
}
