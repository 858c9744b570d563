/** A larger file is not indexed. */
export const MAX_FILE_BYTES = 50 * 1024 * 1024;

/** How a file's text is read and where it may be cut. */
export type FileKind = 'pdf' | 'html' | 'markdown' | 'rows' | 'code' | 'text';

const EXTENSIONS: Record<FileKind, string> = {
  pdf: 'pdf',
  html: 'html htm xhtml',
  markdown: 'md markdown mdx rst adoc asciidoc org',
  rows: 'csv tsv jsonl ndjson log',
  code:
    'js jsx mjs cjs ts tsx mts cts py pyi java go rs cpp cc cxx c h hpp hh rb php cs kt kts swift scala dart lua pl pm ' +
    'groovy r jl hs ml fs fsx clj cljs ex exs erl sh bash zsh fish ps1 bat cmd sql graphql gql proto cmake make mk ' +
    'css scss sass less vue svelte astro tf hcl nix vim el lisp scm asm s m mm zig nim v sol ipynb',
  text:
    'txt text json json5 yaml yml toml xml xsl xsd svg ini cfg conf config env properties tex bib sty srt vtt po pot ' +
    'patch diff dem lock gradle plist tmpl template jinja j2 dtd ent',
};

/** Files without an extension that are text by custom. */
const NAMES = new Set(
  'readme license licence copying copyright notice authors contributors changelog changes news todo install makefile dockerfile vagrantfile gemfile rakefile procfile'.split(
    ' ',
  ),
);

const KINDS = new Map(
  Object.entries(EXTENSIONS).flatMap(([kind, list]) =>
    list.split(' ').map((ending) => [ending, kind as FileKind]),
  ),
);

/** The kind by name, or undefined for files that are not indexed. */
export function fileKind(path: string): FileKind | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const dot = name.lastIndexOf('.');
  if (dot <= 0) return NAMES.has(name) ? 'text' : undefined;
  return KINDS.get(name.slice(dot + 1)) ?? (NAMES.has(name.slice(0, dot)) ? 'text' : undefined);
}
