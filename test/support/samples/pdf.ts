/**
 * Returns a PDF with one line of text per page. With `broken`, its end lacks the position of the table of
 * objects.
 */
export function makePdf(lines: string[], { broken = false } = {}): Buffer {
  const font = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';
  return ofPages(
    lines.map((line) => `(${line})`),
    { fonts: [font], broken },
  );
}

/**
 * Returns a PDF of one line in a font that it names but doesn't embed, like East Asian fonts: codes of one of
 * Adobe's CMaps (`GBK-EUC-H`) for a collection of characters (`GB1`), in hex.
 */
export function makeCjkPdf(hex: string, { cmap, collection }: { cmap: string; collection: string }): Buffer {
  const system = `/CIDSystemInfo << /Registry (Adobe) /Ordering (${collection}) /Supplement 2 >>`;
  const box = '/Flags 6 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 880 /Descent -120 /StemV 93';
  const fonts = [
    `<< /Type /Font /Subtype /Type0 /BaseFont /Song /Encoding /${cmap} /DescendantFonts [4 0 R] >>`,
    `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Song ${system} /FontDescriptor 5 0 R >>`,
    `<< /Type /FontDescriptor /FontName /Song ${box} >>`,
  ];
  return ofPages([`<${hex}>`], { fonts, broken: false });
}

/** `fonts` are the objects from 3 on; 3 is the font of all pages. */
function ofPages(strings: string[], { fonts, broken }: { fonts: string[]; broken: boolean }): Buffer {
  const first = 3 + fonts.length;
  const pages = strings.map((_, index) => `${first + index * 2} 0 R`).join(' ');
  return ofObjects(
    [
      '<< /Type /Catalog /Pages 2 0 R >>',
      `<< /Type /Pages /Kids [${pages}] /Count ${strings.length} >>`,
      ...fonts,
      ...strings.flatMap((string, index) => {
        const content = `BT /F1 12 Tf 72 720 Td ${string} Tj ET`;
        const resources = '/Resources << /Font << /F1 3 0 R >> >>';
        const page = `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] ${resources} /Contents ${first + 1 + index * 2} 0 R >>`;
        return [page, `<< /Length ${content.length} >>\nstream\n${content}\nendstream`];
      }),
    ],
    broken,
  );
}

function ofObjects(objects: string[], broken: boolean): Buffer {
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`;
  return Buffer.from(
    `${text}${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${broken ? 7 : text.length}\n%%EOF\n`,
  );
}
