const tables = new Map<string, Map<string, Buffer>>();

/**
 * Returns a text in another encoding than UTF-8, by the results of Node's decoder for each byte and pair of
 * bytes. Throws for unsupported characters.
 */
export function encodeAs(text: string, encoding: string): Buffer {
  if (encoding === 'utf-16le') return Buffer.from(text, 'utf16le');
  if (encoding === 'utf-16be') return Buffer.from(text, 'utf16le').swap16();
  const table = tables.get(encoding) ?? makeTable(encoding);
  tables.set(encoding, table);
  return Buffer.concat(
    Array.from(text, (character) => {
      const bytes = table.get(character);
      if (bytes === undefined) throw new Error(`${encoding} has no ${character}`);
      return bytes;
    }),
  );
}

function makeTable(encoding: string): Map<string, Buffer> {
  const table = new Map<string, Buffer>();
  const decoder = new TextDecoder(encoding);
  const add = (bytes: Buffer) => {
    const text = decoder.decode(bytes);
    if ([...text].length === 1 && text !== '\ufffd' && !table.has(text)) table.set(text, bytes);
  };
  for (let byte = 0; byte < 256; byte++) add(Buffer.of(byte));
  for (let lead = 0x81; lead < 0xff; lead++)
    for (let trail = 0x40; trail < 0xff; trail++) add(Buffer.of(lead, trail));
  return table;
}
