/**
 * How the console shows a file. Only the name decides, because the contents are checked when the file is
 * read.
 */
export type FileView =
  | 'text'
  | 'markdown'
  | 'html'
  | 'table'
  | 'parquet'
  | 'notebook'
  | 'image'
  | 'pdf'
  | 'document'
  | 'other';

/** The kinds of files that a search can be limited to. */
export const SEARCH_KINDS = ['pdf', 'documents', 'tables', 'notes', 'pictures', 'code'] as const;
export type SearchKind = (typeof SEARCH_KINDS)[number];

interface FileKind {
  extensions: string;
  search?: SearchKind;
  view: FileView;
  /**
   * True if the service decodes the file's text. Programs that open the file then don't show that text's
   * lines.
   */
  isDecoded?: true;
}

const KINDS: FileKind[] = [
  { search: 'pdf', view: 'pdf', isDecoded: true, extensions: 'pdf' },
  {
    search: 'documents',
    view: 'document',
    isDecoded: true,
    extensions: 'docx docm dotx dotm odt ott rtf epub pptx pptm ppsx ppsm potx odp otp eml mht mhtml',
  },
  { search: 'documents', view: 'html', extensions: 'html htm xhtml' },
  { search: 'tables', view: 'document', isDecoded: true, extensions: 'xlsx xlsm xltx xltm ods ots' },
  { search: 'tables', view: 'table', extensions: 'csv tsv' },
  { search: 'tables', view: 'text', extensions: 'jsonl ndjson' },
  { search: 'notes', view: 'markdown', extensions: 'md markdown mdx' },
  {
    search: 'notes',
    view: 'text',
    extensions: 'txt text log srt vtt org rst adoc asciidoc tex ltx latex bib ris',
  },
  { search: 'pictures', view: 'image', isDecoded: true, extensions: 'png jpg jpeg gif webp bmp' },
  { search: 'pictures', view: 'document', isDecoded: true, extensions: 'tif tiff' },
  { search: 'code', view: 'notebook', isDecoded: true, extensions: 'ipynb' },
  {
    search: 'code',
    view: 'text',
    extensions:
      'js jsx mjs cjs ts tsx mts cts py pyi java go rs cpp cc cxx c h hpp hh rb php cs kt kts swift scala dart lua pl pm ' +
      'groovy r jl hs ml fs fsx clj cljs ex exs erl sh bash zsh fish ps1 bat cmd sql graphql gql proto cmake make mk ' +
      'css scss sass less vue svelte astro tf hcl nix vim el lisp scm asm s m mm zig nim v sol ' +
      'json json5 yaml yml toml xml xsl xsd svg ini cfg conf config env properties sty po pot patch diff dem lock gradle ' +
      'plist tmpl template jinja j2 dtd ent',
  },
  { view: 'image', extensions: 'avif' },
  { view: 'parquet', extensions: 'parquet' },
  {
    view: 'other',
    extensions: 'doc ppt xls zip gz tar 7z mp3 mp4 wav ogg bin exe so whl',
  },
];

const byExtension = new Map(
  KINDS.flatMap((kind) => kind.extensions.split(' ').map((extension) => [extension, kind] as const)),
);

function kindOfFile(path: string): FileKind | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot === -1 ? undefined : byExtension.get(name.slice(dot + 1).toLowerCase());
}

export function viewOf(path: string): FileView {
  return kindOfFile(path)?.view ?? 'text';
}

/** Returns the kind that limits a search to files like this one. */
export function searchKindOf(path: string): SearchKind | undefined {
  return kindOfFile(path)?.search;
}

/**
 * Returns whether readers find a citation's lines in the file. A PDF or an Office file has pages, slides, or
 * sheets instead.
 */
export function hasLines(path: string): boolean {
  return kindOfFile(path)?.isDecoded !== true;
}

/** Returns the extensions of a kind, without dots. */
export function extensionsOf(search: SearchKind): string[] {
  return KINDS.filter((kind) => kind.search === search).flatMap(({ extensions }) => extensions.split(' '));
}
