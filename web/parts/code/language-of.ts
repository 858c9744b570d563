/** Maps file extensions to the language of the code. */
const EXTENSIONS: Record<string, string> = {
  bash: 'sh bash zsh',
  c: 'c h',
  cpp: 'cc cpp cxx hh hpp',
  csharp: 'cs',
  css: 'css',
  diff: 'diff patch',
  go: 'go',
  ini: 'ini toml cfg conf',
  java: 'java',
  javascript: 'js mjs cjs jsx',
  json: 'json jsonl geojson ipynb',
  kotlin: 'kt kts',
  lua: 'lua',
  makefile: 'mk makefile',
  markdown: 'md markdown',
  perl: 'pl pm',
  php: 'php',
  python: 'py pyi',
  r: 'r',
  ruby: 'rb',
  rust: 'rs',
  scss: 'scss less',
  sql: 'sql',
  swift: 'swift',
  typescript: 'ts mts cts tsx',
  xml: 'xml html htm xhtml svg vue',
  yaml: 'yaml yml',
};
const OTHER_NAMES: Record<string, string> = {
  'c++': 'cpp',
  'c#': 'csharp',
  console: 'bash',
  golang: 'go',
  shell: 'bash',
};
const BY_EXTENSION = new Map(
  Object.entries(EXTENSIONS).flatMap(([language, names]) => names.split(' ').map((name) => [name, language])),
);

/** Returns the language that a code block names, such as `python` or `py`. */
export function languageNamed(name: string): string | undefined {
  const small = name.toLowerCase();
  return Object.hasOwn(EXTENSIONS, small) ? small : (BY_EXTENSION.get(small) ?? OTHER_NAMES[small]);
}

export function languageOf(path: string): string | undefined {
  return BY_EXTENSION.get(path.split(/[./]/).at(-1)?.toLowerCase() ?? '');
}
