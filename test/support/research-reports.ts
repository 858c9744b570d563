import type { Evidence, Report, Sentence } from '../../lib/research/schema.ts';

export function makeEvidence(id: string, fields: Partial<Evidence> = {}): Evidence {
  return {
    ...{ id, questionId: 'q1', claim: `what ${id} says`, quote: `words of ${id}`, path: `notes/${id}.md` },
    ...{ startLine: 3, endLine: 5, verified: true, supports: 'yes' },
    source: { kind: 'file', title: `Notes ${id}` },
    ...fields,
  };
}

export function makeSentence(
  text: string,
  evidence: string[] = [],
  fields: Partial<Sentence> = {},
): Sentence {
  return { text, evidence, state: evidence.length > 0 ? 'supported' : 'plain', ...fields };
}

export function makeReport(fields: Partial<Report> = {}): Report {
  return {
    ...{
      title: 'Caches',
      language: 'en',
      question: 'Do caches help?',
      createdAt: '2026-11-22T10:00:00.000Z',
    },
    sections: [
      {
        ...{ questionId: 'q1', heading: 'Speed' },
        paragraphs: [
          [
            makeSentence('Caches halve latency.', ['e2', 'e1']),
            makeSentence('They cost memory.', ['e1'], {
              state: 'marked',
              reasons: ['the quote names no memory'],
            }),
          ],
        ],
      },
    ],
    evidence: [
      makeEvidence('e1', { contradicts: ['e3'] }),
      makeEvidence('e2', {
        ...{ path: 'sources/smith.pdf', page: 3 },
        source: {
          ...{ kind: 'paper', title: 'Attention to Caches', authors: ['Jane van Smith', 'Miller, Bob'] },
          ...{ doi: '10.1000/xyz_1', publishedDate: '2024-05-01', url: 'https://example.org/paper' },
        },
      }),
      makeEvidence('e3'),
      makeEvidence('e4'),
    ],
    openQuestions: ['What of disks?'],
    counts: { sentences: 3, supported: 1, marked: 1, dropped: 1 },
    ...fields,
  };
}

const HOSTILE =
  '</title></p><script>alert(1)</script> <img src=x onerror=y> ]]> & "quotes" \'single\' [^1]: [x](javascript:alert(1)) `tick`` \n\n# head\n- list\n1. one\n\0\u0008\uD800\u202Eevil {brace \\input{/etc/passwd} }} % $x$ 😀';

/** Returns a report with malicious text in every external field. */
export function makeHostileReport(): Report {
  const evidence = (id: string): Evidence =>
    makeEvidence(id, {
      ...{ claim: HOSTILE, quote: `${HOSTILE}\n\`\`\`\`\n[^1]: note`, path: `javascript:/${HOSTILE}` },
      contradicts: ['e1', 'e2'],
      source: {
        ...{
          kind: 'paper',
          title: HOSTILE,
          authors: [HOSTILE, `a and b, ${HOSTILE}`],
          doi: HOSTILE,
          arxivId: HOSTILE,
        },
        url: `javascript:${HOSTILE}`,
      },
    });
  return makeReport({
    ...{
      title: HOSTILE,
      question: HOSTILE,
      openQuestions: [HOSTILE],
      evidence: [evidence('e1'), evidence('e2')],
    },
    sections: [
      {
        ...{ questionId: null, heading: HOSTILE },
        paragraphs: [
          [
            makeSentence(HOSTILE, ['e1'], { state: 'marked', reasons: [HOSTILE] }),
            makeSentence(HOSTILE, ['e2', 'e9']),
          ],
        ],
      },
    ],
  });
}
