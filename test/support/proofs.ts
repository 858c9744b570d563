import { EXAMPLES } from '../../lib/example/built.ts';
import { makeProof } from '../../lib/research/proof/make-proof.ts';
import type { ProofMaterial } from '../../lib/research/proof/schema.ts';

/** Returns what a proof of the example's report is made of, with its first sections, and with the model calls of a report. */
export function proofMaterial(
  language: 'en' | 'zh-CN' = 'en',
  fields: Partial<ProofMaterial> = {},
  count?: number,
): ProofMaterial {
  const { question, plan, evidence, extracts, sections: all, openQuestions } = EXAMPLES[language].report;
  const sections = all.slice(0, count);
  const sentences = sections.flatMap(({ paragraphs }) => paragraphs.flat());
  const supported = sentences.filter(({ state }) => state === 'supported').length;
  const createdAt = '2026-11-26T10:00:00.000Z';
  return {
    run: {
      ...{ id: '01a1fcf8-a7e2-778b-8bd9-87a5309f5401', model: 'gpt-example' },
      ...{ createdAt, finishedAt: '2026-11-26T10:05:00.000Z' },
    },
    plan,
    report: {
      ...{ title: question, language, question, sections, evidence, openQuestions, looked: [], createdAt },
      counts: { sentences: sentences.length + 1, supported, marked: 0, dropped: 1 },
    },
    extracts: new Map(Object.entries(extracts)),
    calls: [
      {
        ...{ step: 'plan', model: 'gpt-example', reused: false, inputTokens: 500, outputTokens: 100 },
        ...{ requestSha256: 'a'.repeat(64), answerSha256: 'b'.repeat(64) },
      },
    ],
    totals: { calls: 1, inputTokens: 500, outputTokens: 100, costUsd: 0.001 },
    version: '1.0.0',
    ...fields,
  };
}

/** Returns a proof of a few sentences, which is verified fast. */
export function shortProof(): Buffer {
  return Buffer.from(makeProof(proofMaterial('en', {}, 1)).bytes);
}

export function exampleProof(language?: 'en' | 'zh-CN', fields?: Partial<ProofMaterial>): Buffer {
  return Buffer.from(makeProof(proofMaterial(language, fields)).bytes);
}
