import type { LaidOutTable } from './lay-out.ts';

/** Returns a Word document with the table on landscape pages, and its quotes below. */
export async function toTableDocx({ name, headings, rows, quotes }: LaidOutTable): Promise<Buffer> {
  const docx = await import('docx'); // large, and needed only here
  const paragraph = (text: string, bold = false) =>
    new docx.Paragraph({ children: [new docx.TextRun({ text, bold, size: 18 })] });
  const rowOf = (cells: (string | number)[], tableHeader = false) =>
    new docx.TableRow({
      tableHeader,
      children: cells.map((cell) => new docx.TableCell({ children: [paragraph(String(cell), tableHeader)] })),
    });
  const heading = (text: string, level: (typeof docx.HeadingLevel)[keyof typeof docx.HeadingLevel]) =>
    new docx.Paragraph({ heading: level, children: [new docx.TextRun({ text })] });
  const file = new docx.Document({
    ...{ title: name, creator: 'Workspace Research Service' },
    sections: [
      {
        properties: { page: { size: { orientation: docx.PageOrientation.LANDSCAPE } } },
        children: [
          heading(name, docx.HeadingLevel.TITLE),
          new docx.Table({ rows: [rowOf(headings, true), ...rows.map((row) => rowOf(row))] }),
          heading('Quotes', docx.HeadingLevel.HEADING_1),
          new docx.Table({ rows: [rowOf(quotes.heading, true), ...quotes.rows.map((row) => rowOf(row))] }),
        ],
      },
    ],
  });
  return docx.Packer.toBuffer(file);
}
