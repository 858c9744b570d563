import { elements, numberOf } from './prompt-elements.ts';

/** A request to a scripted model for the cells of some columns. */
export interface AskedCells {
  columns: { number: number; question: string }[];
  passages: { number: number; file: string; text: string }[];
}

interface Stated {
  value: string;
  passage: number;
  quote: string;
}
export type Cells = { cells: { column: number; values: Stated[] }[] };

export function isOfTable(system: string): boolean {
  return system.startsWith('You fill one row of a table');
}

/** Reads a request as the provider receives it. */
export function readAskedCells(content: string): AskedCells {
  return {
    columns: elements(content, 'column').map((each) => ({
      number: numberOf(each),
      question: each.text,
    })),
    passages: elements(content, 'passage').map(({ attributes, text }) => ({
      number: numberOf({ attributes }),
      file: /file="([^"]*)"/.exec(attributes)?.[1] ?? '',
      text,
    })),
  };
}

/** Returns the answer of an honest model: the lines `Question: value` of the passages. */
export function answerCells({ columns, passages }: AskedCells): Cells {
  return {
    cells: columns.map(({ number, question }) => ({
      column: number,
      values: passages.flatMap(({ number: passage, text }) =>
        text
          .split('\n')
          .filter((line) => line.startsWith(`${question}: `))
          .map((line) => ({ value: line.slice(question.length + 2), passage, quote: line })),
      ),
    })),
  };
}

/** Returns the fake provider's answer as JSON: the script's or, without one, the honest answer. */
export function evidenceAnswer(script: (asked: AskedCells) => unknown = () => undefined) {
  return ({ messages }: { messages: { role: string; content: unknown }[] }): string => {
    const [system, user] = messages;
    if (!isOfTable(String(system?.content))) throw new Error(`not of a table: ${String(system?.content)}`);
    const asked = readAskedCells(String(user?.content));
    const answer = script(asked) ?? answerCells(asked);
    return typeof answer === 'string' ? answer : JSON.stringify(answer);
  };
}
