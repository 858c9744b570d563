import { expect, it } from '@jest/globals';
import { decodeNotebook } from '../../../lib/formats/notebook-cells.ts';
import { readNotebook } from '../../../web/files/notebook/read-notebook.ts';

const ESC = '\x1b';
const PRINTED = [
  `${ESC}]0;title\x07plain`,
  `${ESC}]8;;https://a.example\x07link${ESC}]8;;\x07`,
  `${ESC}]8;;https://a.example${ESC}\\link${ESC}]8;;${ESC}\\`,
  `${ESC}[38;5;9mred${ESC}[?25h`,
];

it.each(PRINTED)('notebook output is shown and indexed without its terminal sequences: %j', async (text) => {
  const seen = /plain|link|red/.exec(text)?.[0] ?? '';
  const outputs = [{ output_type: 'stream', text }];
  const json = JSON.stringify({ cells: [{ cell_type: 'code', source: 'x', outputs }] });
  expect(readNotebook(json)?.[0]?.outputs).toEqual([{ kind: 'text', text: seen }]);
  expect((await decodeNotebook(Buffer.from(json))).text).toBe(`x\n\nOutput:\n${seen}`);
});
