import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { Marked, type Tokens } from 'marked';
import { escapeHtml } from '../lib/text/escape-html.ts';

/** Pages outside docs/ that docs/ links to. */
const OTHERS = ['CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'];

/** The folders of docs/ in the side navigation, which shows only the index of the decision records. */
const FOLDERS = {
  'get-started': 'Get started',
  guides: 'Guides',
  reference: 'Reference',
  deploy: 'Deploy',
  operate: 'Operate',
  security: 'Security',
  architecture: 'Architecture',
  adr: 'Decisions',
  'zh-CN': '中文',
};

/** The titles of all pages by their served path. */
type Titles = Map<string, string>;

/** Returns the HTML of every page of docs/ by its served path, such as `guides/ocr`, and of the empty search page. */
export function renderDocs(root: string): Record<string, string> {
  const files = [...globSync('docs/**/*.md', { cwd: root }), ...OTHERS].sort();
  const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
  const known = new Set(files);
  const titles: Titles = new Map([...texts].map(([file, text]) => [servedPath(file), titleOf(file, text)]));
  const pages = [...texts].map(([file, text]) => {
    const body = markedFor(file, known).parse(text, { async: false });
    return [servedPath(file), renderPage(servedPath(file), titleOf(file, text), body, titles)];
  });
  const search = renderPage('search', 'Search', '<h1>Search</h1>\n<!--results-->\n', titles);
  return { ...Object.fromEntries(pages), search };
}

function titleOf(file: string, text: string): string {
  return (/^# (.*)$/m.exec(text)?.[1] ?? servedPath(file)).replaceAll('`', '');
}

/** Returns the HTML of the side navigation: the folders and, below the page's own folder, its pages. */
function sideOf(path: string, up: string, titles: Titles): string {
  const items = Object.entries(FOLDERS).map(([folder, name]) => {
    const within = [...titles.keys()].filter((each) => each.startsWith(`${folder}/`));
    const first = within.find((each) => each.endsWith('/README')) ?? within[0] ?? 'README';
    const isHere = path.startsWith(`${folder}/`) && folder !== 'adr';
    const shown = isHere ? within.filter((each) => !each.endsWith('/README')) : [];
    const pages = shown.map((each) => `<li>${linkTo(each, titles.get(each) ?? each)}</li>`);
    return `<li>${linkTo(first, name)}${pages.length > 0 ? `<ul>${pages.join('')}</ul>` : ''}</li>`;
  });
  return `<ul>${items.join('\n')}</ul>`;

  function linkTo(target: string, text: string): string {
    const current = target === path ? ' aria-current="page"' : '';
    return `<a href="${up}pages/${target}"${current}>${escapeHtml(text)}</a>`;
  }
}

/** Returns the served path, which has at most two segments: `guides/ocr` for `docs/guides/ocr.md`. */
function servedPath(file: string): string {
  return file.replace(/^docs\//, '').replace(/\.md$/, '');
}

/** An anchor without a heading. All other HTML in pages is shown as text. */
const ANCHOR = /^(?:<a id="\w+">|<\/a>)$/;

function renderPage(path: string, title: string, body: string, titles: Titles): string {
  const up = '../'.repeat(path.split('/').length);
  const language = path.startsWith('zh-CN/') ? 'zh-CN' : 'en';
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · Workspace Research</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${up}pages.css">
</head>
<body>
<header>
<a href="${up}pages/README">Documentation</a> <a href="${up}../docs">API reference</a>
<form role="search" action="${up}pages/search"><input type="search" name="q" maxlength="200" required placeholder="Search" aria-label="Search the documentation"></form>
</header>
<div class="columns">
<nav aria-label="Pages">
${sideOf(path, up, titles)}
</nav>
<main>
${body}</main>
</div>
</body>
</html>
`;
}

function markedFor(file: string, known: Set<string>): Marked {
  return new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const text = this.parser.parseInline(tokens);
        const target = targetOf(file, href, known);
        return target === undefined ? text : `<a href="${escapeHtml(target)}">${text}</a>`;
      },
      code({ text, lang }) {
        if (lang === 'mermaid') return showDiagram(text);
        return `<pre class="${escapeHtml(lang ?? '')}"><code>${escapeHtml(text)}</code></pre>\n`;
      },
      html: ({ text }) => (text.startsWith('<!--') ? '' : ANCHOR.test(text) ? text : escapeHtml(text)),
    },
  });
}

/**
 * Shows the source of a Mermaid diagram, because the service has no engine for it, with the diagram's title and
 * description for screen readers. Throws if the diagram lacks them.
 */
function showDiagram(text: string): string {
  const [title, description] = ['accTitle', 'accDescr'].map((name) => {
    const found = new RegExp(`^ *${name}: (.+)$`, 'm').exec(text)?.[1];
    if (found === undefined) throw new Error(`A Mermaid diagram has no ${name}:\n${text}`);
    return escapeHtml(found);
  });
  const source = escapeHtml(text.replace(/^ *acc(?:Title|Descr): .+\n/gm, ''));
  const caption = `<strong>Diagram: ${title}.</strong> ${description} The source is in Mermaid notation.`;
  return `<figure><figcaption>${caption}</figcaption>\n<pre class="mermaid"><code>${source}</code></pre></figure>\n`;
}

/** Returns the target of a page's link in the served docs; undefined for a file that isn't a page. */
function targetOf(file: string, href: string, known: Set<string>): string | undefined {
  if (/^(?:https?:|#)/.test(href)) return href;
  const [to = '', heading] = href.split('#');
  const linked = join(dirname(file), to);
  if (!known.has(linked)) return undefined;
  const path = relative(dirname(servedPath(file)), servedPath(linked));
  return heading === undefined ? path : `${path}#${heading}`;
}

/** Returns the anchor that GitHub uses: `3-add-an-endpoint` for `## 3. Add an endpoint`. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

/** Returns the style sheet of the pages: the console's colors, then the rules of the pages. */
export function docsStyle(root: string): string {
  const theme = readFileSync(join(root, 'web/theme.css'), 'utf8');
  const light = variablesOf(theme, ':root {');
  const dark = variablesOf(theme, ':root[data-theme="dark"] {');
  const rules = readFileSync(join(root, 'infra/docs-pages.css'), 'utf8');
  return `:root {${light}}\n@media (prefers-color-scheme: dark) { :root {${dark}} }\n${rules}`;
}

/** Returns a block of CSS variables. Throws if it is missing, because the pages would have no colors. */
function variablesOf(theme: string, block: string): string {
  const start = theme.indexOf(`\n${block}`);
  if (start < 0) throw new Error(`web/theme.css has no block ${block}`);
  const body = theme.slice(start + block.length + 1, theme.indexOf('}', start));
  return body.replace(/\s*--[\w-]+: url\([^)]*\);/g, '');
}
