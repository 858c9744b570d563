/** These expressions take linear time, because of two adjacent parts only one matches spaces. */
const SECTION = /^\s*\[\s*([\w.-]+)(?:\s*"((?:[^"\\]|\\.)*)")?\s*\]\s*(.*)$/s;
const SETTING = /^\s*([A-Za-z][\w-]*)\s*(?:=\s*(.*))?$/s;

/**
 * Reads settings such as `remote.origin.url` from a clone's own file. Git itself never reads that file: it's
 * untrusted, and git would obey its includes and the many settings that name programs.
 */
export function readGitConfig(text: string): Map<string, string> {
  const settings = new Map<string, string>();
  let section = '';
  for (const line of text.replace(/(?<!\\)((?:\\\\)*)\\\r?\n/g, '$1').split(/\r?\n/)) {
    const [, name, subsection, rest] = SECTION.exec(line) ?? [];
    if (name !== undefined)
      section =
        subsection === undefined ? name.toLowerCase() : `${name.toLowerCase()}.${dropEscapes(subsection)}`;
    const [, key, value = ''] = SETTING.exec(rest ?? line) ?? [];
    if (key !== undefined) settings.set(`${section}.${key.toLowerCase()}`, readValue(value));
  }
  return settings;
}

/** Removes quotes, a trailing comment, and the spaces around unquoted text. */
function readValue(text: string): string {
  const parts = text.trimStart().match(/"(?:[^"\\]|\\.)*"|\\.|[#;].*|[^"\\#;]+/g) ?? [];
  const words = parts.filter((part) => !/^[#;]/.test(part));
  const last = words.pop() ?? '';
  words.push(/^["\\]/.test(last) ? last : last.trimEnd());
  return words.map((word) => dropEscapes(word.startsWith('"') ? word.slice(1, -1) : word)).join('');
}

function dropEscapes(text: string): string {
  return text.replace(/\\(.)/g, '$1');
}
