import { zipEntries } from '../../formats/office/replace-entries.ts';

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const DOCUMENT = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPE = 'application/vnd.openxmlformats-officedocument';
export const RELATIONS = DOCUMENT;

/** A part of an Office file: its XML, and its type after the common beginning, such as `spreadsheetml.sheet.main+xml`. */
interface Part {
  type: string;
  xml: string;
}

/**
 * Returns an Office file. The first part is the main one, which refers to the others as `rId1`, `rId2`, and so on, by
 * their kinds.
 */
export function toOfficeFile(parts: Record<string, Part>): Buffer {
  const [[main = ''] = [], ...others] = Object.entries(parts);
  const folder = main.slice(0, main.lastIndexOf('/'));
  const targets = others.map(([name, { type }]) => [kindOf(type), name.slice(folder.length + 1)]);
  const files = {
    '[Content_Types].xml': contentTypes(parts),
    '_rels/.rels': relations([['officeDocument', main]]),
    [`${folder}/_rels/${main.slice(folder.length + 1)}.rels`]: relations(targets),
    ...Object.fromEntries(Object.entries(parts).map(([name, { xml }]) => [name, xml])),
  };
  return Buffer.from(
    zipEntries(new Map(Object.entries(files).map(([name, xml]) => [name, Buffer.from(HEAD + xml)]))),
  );
}

/** Returns the kind of relation of a part: `worksheet` for `spreadsheetml.worksheet+xml`. */
function kindOf(type: string): string {
  return type.slice(type.indexOf('.') + 1, type.indexOf('+'));
}

function contentTypes(parts: Record<string, Part>): string {
  const overrides = Object.entries(parts).map(
    ([name, { type }]) => `<Override PartName="/${name}" ContentType="${TYPE}.${type}"/>`,
  );
  return `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${overrides.join('')}</Types>`;
}

function relations(targets: string[][]): string {
  const all = targets.map(
    ([kind, target], at) => `<Relationship Id="rId${at + 1}" Type="${DOCUMENT}/${kind}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="${PACKAGE}/relationships">${all.join('')}</Relationships>`;
}
