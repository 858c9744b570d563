const SECTION = /^\s*\[\s*([\w.-]+)\s*(?:"((?:[^"\\]|\\.)*)")?\s*\]\s*(.*)$/;
const SETTING = /^\s*([A-Za-z][\w-]*)\s*(?:=\s*(.*))?$/;

/**
 * The settings of a clone's own file, as `remote.origin.url`. Read by us and not by git: of a file that anyone may have
 * written, git would also obey includes, and the many settings that name programs.
 */
export function readGitConfig(text: string): Map<string, string> {
  const settings = new Map<string, string>();
  let section = '';
  for (const line of text.replace(/\\\r?\n/g, '').split(/\r?\n/)) {
    const [, name, subsection, rest] = SECTION.exec(line) ?? [];
    if (name !== undefined)
      section =
        subsection === undefined ? name.toLowerCase() : `${name.toLowerCase()}.${dropEscapes(subsection)}`;
    const [, key, value = ''] = SETTING.exec(rest ?? line) ?? [];
    if (key !== undefined) settings.set(`${section}.${key.toLowerCase()}`, readValue(value));
  }
  return settings;
}

/** Quotes taken away, and a comment behind the value. */
function readValue(text: string): string {
  const parts = text.match(/"(?:[^"\\]|\\.)*"|\\.|[#;].*|[^"\\#;]+/g) ?? [];
  const words = parts
    .filter((part) => !/^[#;]/.test(part))
    .map((part) => dropEscapes(part.startsWith('"') ? part.slice(1, -1) : part));
  return words.join('').trim();
}

function dropEscapes(text: string): string {
  return text.replace(/\\(.)/g, '$1');
}
