import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parseSync } from '@swc/core';
import { consoleWords } from '../support/console-words.ts';

const root = resolve(import.meta.dirname, '../..');
const english = consoleWords('en');
const chinese = consoleWords('zh-CN');
const errors: Record<string, string> = JSON.parse(
  readFileSync(join(root, 'lib/error-messages/zh-CN.json'), 'utf8'),
);
const allChinese = new Map([...chinese, ...Object.entries(errors)]);
const BOTH = [
  ['English', english],
  ['Chinese', allChinese],
] as const;

/** Returns the texts for which this is true, so that a failure names each of them. */
function textsWhere(words: Map<string, string>, isWrong: (text: string, key: string) => boolean): string[] {
  return [...words].filter(([key, text]) => isWrong(text, key)).map(([key, text]) => `${key}: ${text}`);
}

const HOLE = /\{\{\w+\}\}/g;
const words = (text: string) => text.match(/[\p{L}\p{N}%][\p{L}\p{N}'’%./-]*/gu) ?? [];
/** Returns the text without its placeholders, which have no text here. */
const bare = (text: string) => text.replace(HOLE, ' ');

/** Each concept has one term in each language. */
const GLOSSARY: [RegExp, RegExp][] = [
  [/\bagents?\b/i, /智能体/],
  [/\b(re-)?index(ed|ing)?\b/i, /索引/],
  [/\bdefaults?\b/i, /默认/],
  [/\bapprov/i, /批准|确认/],
  [/\bdeny\b|\bdenied\b/i, /拒绝/],
  [/\bAPI tokens?\b/, /访问令牌/],
  [/\btokens?\b/i, /令牌|token/],
  [/\bworkspaces?\b/i, /工作区/],
  [/\bsign(ed)? (in|out)\b|\bsign-in\b/i, /登录/],
  [/\bskills?\b(?!\.md)/i, /技能/],
  [/\bdatasets?\b/i, /数据集/],
  [/\bcitations?\b/i, /引用/],
  [/\bembed/i, /嵌入/],
  [/\bsemantic search\b/i, /语义搜索/],
  [/\bkeyword search\b/i, /关键词搜索/],
  [/\bbudgets?\b/i, /预算/],
  [/\bpermission rules?\b/i, /权限规则/],
  [/\bskipped\b/i, /跳过/],
  [/\bresets?\b/i, /重置/],
  [/\bMCP servers?\b/, /MCP 服务器/],
  [/\bundone\b/, /撤销/],
  [/\bclusters?\b/i, /集群/],
  [/\bURLs?\b/, /URL/],
  [/\bnotes?\b/i, /笔记/],
  [/\bscheduled tasks?\b/i, /任务/],
];

describe('English and Chinese', () => {
  it.each(GLOSSARY)('have one term for one concept: %s is %s', (inEnglish, inChinese) => {
    const both = [...english].filter(([, text]) => inEnglish.test(bare(text)));
    expect(both.length).toBeGreaterThan(0);
    const other = both.filter(([key]) => !inChinese.test(chinese.get(key) ?? ''));
    expect(other.map(([key, text]) => `${key}: ${text} / ${chinese.get(key)}`)).toEqual([]);
  });
});

describe.each(BOTH)('%s texts', (language, texts) => {
  it('name no vendor by a letter', () => {
    expect(textsWhere(texts, (text) => /\b(provider|hub|platform) [a-c]\b/i.test(text))).toEqual([]);
  });

  it('name no file of the repository', () => {
    const isPath = (text: string) =>
      /\b(cli|docs|functions|infra|lib|test|web)\/\w|\b(?!SKILL\b)[\w-]+\.(md|ts|yml|json)\b/.test(text);
    expect(textsWhere(texts, isPath)).toEqual([]);
    expect(isPath('infra/bots.md goes through it')).toBe(true);
  });

  it('end in punctuation if they are longer than a label', () => {
    const isLong = (text: string) =>
      language === 'English' ? text.length > 40 : (text.match(/\p{Script=Han}/gu)?.length ?? 0) > 18;
    const isOpen = (text: string) =>
      isLong(text.replace(HOLE, 'x')) && !/[.?!…:。？！：]$|\{\{\w+\}\}$/.test(text);
    expect(textsWhere(texts, isOpen)).toEqual([]);
    expect(isOpen('字'.repeat(60))).toBe(true);
  });

  it('claim no more than the service does', () => {
    const claims =
      /without your word|nothing dangerous|every sentence|each sentence is|each citation is checked|每一?句话?都|每条引用都/i;
    expect(textsWhere(texts, (text) => claims.test(text))).toEqual([]);
  });
});

/** Unusual words that this project once used; most were always wrong. */
const REFUSED_ENGLISH = [
  /\banew\b/,
  /\bmend(s|ed|ing)?\b/,
  /\bat the (most|latest)\b/,
  /\bcalls? of (the )?models?\b/i,
  /\b(your|person.s|administrator.s) word\b/,
  /\busual\b/i,
  /\bstoreys?\b|\bdoors?\b|\bthe house\b/i,
  /\bdeeds?\b/,
  /\bleaves? (it )?away\b|\bgone for good\b/,
  /\bbehind (its|the) (first )?answer\b/,
  /\bwhat (comes|came) of (it|this)\b/i,
  /\b(go|goes|went) on\b/i,
  /\blies?\b|\bstands?\b/i,
  /\b(he|his|him|himself|somebody|anybody|everybody|whoever|one must)\b/i,
  /\bread(s|ing)? (\w+ )?in\b(?! )/i,
  /\bany more\b/,
  /\bunder way\b|\bmeanwhile\b/i,
  /\b(is|are) (told|said)\b|\bsays so\b|\btells?\b/,
  /\brooms?\b/i,
  /\ba (line|month|million|day|week)\b(?!’s|'s)/,
  /\bcome in\b|\btake (it )?in\b|\bmake it\b|\bcarry it out\b/i,
  /\b(cannot|will not|is not|are not|does not|do not)\b/,
  /\b(e\.g|i\.e)\./,
  /[–—] [a-z]/,
];

const REFUSED_CHINESE = [
  /代理(?!服务器)/,
  /读入/,
  /您/,
  /不认识/,
  /手写/,
  /撤回/,
  /留存/,
  /数据平台/,
  /(?<!访问|重)密钥|凭据/,
  /语义服务|向量/,
  /未编入|收录/,
  /工具服务器/,
];

describe('English texts', () => {
  it.each(REFUSED_ENGLISH)('use standard words: never %s', (refused) => {
    expect(textsWhere(english, (text) => refused.test(bare(text)))).toEqual([]);
  });

  it('have at most 20 words in a sentence', () => {
    const longest = (text: string) =>
      Math.max(...text.split(/(?<=[.?!…:])\s/).map((sentence) => words(sentence.replace(HOLE, 'x')).length));
    expect(textsWhere(english, (text) => longest(text) > 20)).toEqual([]);
    expect(longest('one two three. one two')).toBe(3);
  });

  it('start with a capital, or continue on a line with others', () => {
    const INLINE =
      /^(chat\.support\.kinds|palette\.keys|tasks\.fields)\.|^(datasets\.repoHint|files\.andMore|files\.pdf\.of|papers\.sources\.preprint_server)$/;
    const INLINE_TOO =
      /^(papers\.moreAuthors|research\.(against|pages_(one|other))|agent\.changes\.((changed|created|deleted|moved)_(one|other)|onlyFolders\.\w+))$/;
    const isSmall = (text: string, key: string) =>
      /^\p{Ll}/u.test(text) && !INLINE.test(key) && !INLINE_TOO.test(key);
    expect(textsWhere(english, isSmall)).toEqual([]);
  });
});

describe('Chinese texts', () => {
  it.each(REFUSED_CHINESE)('use standard words: never %s', (refused) => {
    expect(textsWhere(allChinese, (text) => refused.test(text))).toEqual([]);
  });

  it('use Chinese punctuation, and a space next to Latin letters and digits', () => {
    const han = String.raw`\p{Script=Han}`;
    const wrong = new RegExp(
      `${han}[.,;:!?()]|[.,;:!?()]${han}|${han}[A-Za-z0-9]|[A-Za-z0-9]${han}|…{2}|。{2}`,
      'u',
    );
    expect(textsWhere(allChinese, (text) => wrong.test(text))).toEqual([]);
    expect(wrong.test('使用token')).toBe(true);
  });
});

interface Node {
  type?: string;
  value?: unknown;
  [field: string]: unknown;
}

function nodesIn(node: unknown): Node[] {
  if (Array.isArray(node)) return node.flatMap(nodesIn);
  if (typeof node !== 'object' || node === null) return [];
  return [node as Node, ...Object.values(node).flatMap(nodesIn)];
}

/**
 * Returns the texts whose keys appear in a part of the source; for a key with a placeholder, all possible
 * texts.
 */
function textsIn(piece: unknown): string[] {
  return nodesIn(piece).flatMap((node) => {
    if (node.type === 'StringLiteral') return englishOf((key) => key === node.value);
    if (node.type !== 'TemplateLiteral') return [];
    const [start = ''] = (node.quasis as { cooked: string }[]).map(({ cooked }) => cooked);
    return start.includes('.') ? englishOf((key) => key.startsWith(start)) : [];
  });
}

function englishOf(isIt: (key: string) => boolean): string[] {
  return [...english].filter(([key]) => isIt(key.replace(/_(one|other)$/, ''))).map(([, text]) => text);
}

interface Element {
  name: string;
  attributes: Map<string, unknown>;
  children: unknown;
}

/** Returns the elements of every view. */
const elements: Element[] = globSync('web/**/*.tsx', { cwd: root }).flatMap((file) => {
  const source = readFileSync(join(root, file), 'utf8');
  const found = nodesIn(parseSync(source, { syntax: 'typescript', tsx: true }).body);
  return found
    .filter(({ type }) => type === 'JSXElement')
    .map(({ opening, children }) => {
      const { name, attributes } = opening as { name: { value: string }; attributes: Node[] };
      const named = attributes.map(
        (each) => [(each.name as { value?: string })?.value ?? '', each.value] as const,
      );
      return { name: name.value, attributes: new Map(named), children };
    });
});

const named = (...names: string[]) => elements.filter(({ name }) => names.includes(name));

const BUTTONS = [
  ...named('Button').flatMap(({ children }) => textsIn(children)),
  ...named('ConfirmDialog', 'PathDialog', 'Version').flatMap(({ attributes }) =>
    textsIn(attributes.get('action')),
  ),
  ...named('TwoPresses').flatMap(({ attributes }) =>
    ['first', 'second'].flatMap((at) => textsIn(attributes.get(at))),
  ),
];

/**
 * Periods, copying and viewing, and a declined offer, which are the only buttons that don't start with a
 * verb.
 */
const NO_VERB = /^(This|Last) |^(I've copied it|Not now)$/;
const VERBS =
  /^(Add|Apply|Check|Confirm|Find|Suggest|Suggesting|Sync|Allow|Always allow|Approve|Ask|Cancel|Choose|Clear|Clone|Close|Cloning|Commit|Connect|Continue|Copied|Copy|Create|Creating|Delete|Deny|Disable|Discard|Done|Download|Draft|Drafting|Edit|Enable|Erase|Export|Exporting|Fetch|Import|Index|Keep|Link|Look up|Looking up|Move|New|Notify|Open|Overwrite|Pause|Preview|Pull|Pulling|Push|Re-index|Read|Refresh|Remove|Rename|Repair|Replace|Resume|Retry|Revoke|Rotate|Run|Running|Save|Saving|Search|Send|Share|Show|Sign in|Sign out|Skip|Stage|Start|Stop|Test|Testing|Try again|Unlink|Unstage|Use|View|Hide|See|Undo|Generate|Regenerate|Quote|Make a|Later|Earlier)\b/;

describe('button', () => {
  it('is a verb, or a verb and its object, with at most three words and no full stop', () => {
    expect(new Set(BUTTONS).size).toBeGreaterThan(50);
    const wrong = BUTTONS.filter((text) => words(bare(text)).length > 3 || text.endsWith('.'));
    expect(wrong).toEqual([]);
    expect(BUTTONS.filter((text) => !VERBS.test(text) && !NO_VERB.test(text))).toEqual([]);
  });
});

describe('deletion dialog', () => {
  const dialogs = named('ConfirmDialog').map(({ attributes }) => ({
    title: textsIn(attributes.get('title'))[0] ?? '',
    notes: textsIn(attributes.get('note')),
    action: textsIn(attributes.get('action'))[0] ?? '',
  }));

  it('asks about the named object, and its button repeats the verb', () => {
    expect(dialogs.length).toBeGreaterThan(8);
    for (const { title, action } of dialogs) {
      expect(title).toMatch(/^\S+ .+\?$/);
      expect([title, title.split(' ')[0]]).toEqual([title, action.split(' ')[0]]);
    }
  });

  it('states what is lost and what stays', () => {
    const mute = dialogs.filter(({ notes }) => !notes.some((note) => /\bstays?\b|\blost\b/.test(note)));
    expect(mute).toEqual([]);
  });
});
