import { describe, expect, it } from '@jest/globals';
import { readingFormat } from '../../../lib/formats/all-formats.ts';
import { quotableRuns } from '../../../lib/formats/quotable-runs.ts';
import { cpuTimeOf } from '../../support/processes/cpu-time.ts';

const LIE = 'Owls eat granite.';
const TRUTH = 'Bears hunt mice.';

async function seen(path: string, source: string): Promise<string> {
  const runs = await quotableRuns(readingFormat(path), source);
  return runs.map(({ start, end }) => source.slice(start, end)).join('\u0000');
}

/** Each contains the false text where the format's readers don't see it. Everything else is visible. */
const HIDDEN: Record<string, [string, string][]> = {
  'a.adoc': [
    ['a comment', `// ${LIE}`],
    ['a comment within a paragraph', `One.\n// ${LIE}\nTwo.`],
    ['a block of comments', `////\n${LIE}\n\n----\n${LIE}\n////`],
    ['a longer block of comments', `//////\n////\n${LIE}\n//////`],
    ['a comment behind a title with a line', `Owls\n----\n\n// ${LIE}\n\n----\nx\n----`],
    ['a comment behind a block that ends with the one around it', `====\n----\nx\n====\n\n// ${LIE}`],
    ['a comment behind a table', `|===\n|x\n----\n|===\n\n// ${LIE}`],
    ['a paragraph that is a comment', `[comment]\n${LIE}\n${LIE}\n`],
    ['an open block that is a comment', `[comment]\n.Title\n--\n${LIE}\n\n${LIE}\n--`],
    ['an attribute', `:description: ${LIE}`],
    ['an attribute of two lines', `:description: one \\\n  ${LIE}`],
    ['settings of a block', `[.lead,title="${LIE}"]`],
    ['a condition', `ifdef::never[]\n${LIE}\nendif::[]`],
    ['a condition in a line', `ifdef::never[${LIE}]`],
    ['a condition in another', `ifdef::a[]\nifdef::b[]\nendif::[]\n${LIE}\nendif::[]`],
    ['an index term', `Bears (((${LIE}))) hunt.`],
    ['struck-out text', `Bears [.line-through]#${LIE}# hunt.`],
    ['struck-out bold text with a color', `Bears [.red.line-through]*${LIE}* hunt.`],
    ['an anchor', `[[owls,${LIE}]]`],
    ['what is passed through', `+++<!-- ${LIE} -->+++`],
    ['what is passed through in two lines', `+++<b title="\n${LIE}">x</b>+++`],
    ['what stands between two that are passed through', `pass:[<b hidden>]${LIE}pass:[</b>]`],
    ['a block that is passed through', `++++\n<!--\n${LIE}\n-->\n++++`],
    ['the title of a link', `link:x[night,title="${LIE}"]`],
  ],
  'a.rst': [
    ['a comment', `.. ${LIE}`],
    ['a comment of more lines', `..\n   ${LIE}\n\n   ${LIE}`],
    ['a comment in a list', `* .. One.\n     ${LIE}`],
    ['a comment in a note', `.. note::\n\n   Seen.\n\n   .. ${LIE}\n      ${LIE}`],
    ['a comment under a note', `.. note:: Seen.\n   .. ${LIE}`],
    ['a comment in a table', `+---+---+\n| a | .. |\n|   | ${LIE} |\n+---+---+`],
    ['what looks like a directive', `.. Owls--fish:: ${LIE}`],
    ['what looks like a source', `.. [Owls eat] ${LIE}`],
    ['a target', `.. _owls: ${LIE}`],
    ['a target that looks like a directive', `.. _owls:: ${LIE}`],
    ['a target without a name', `__ ${LIE}`],
    ['what is replaced elsewhere', `.. |owls| replace:: ${LIE}`],
    ['data of the page', `.. meta::\n   :description: ${LIE}`],
    ['an option', `.. image:: a.png\n   :alt: ${LIE}`],
    ['a condition', `.. only:: never\n\n   ${LIE}`],
    ['what is passed through', `.. raw:: html\n\n   <!-- ${LIE} -->`],
    [
      'what stands between two that are passed through',
      `.. raw:: html\n\n   <div hidden>\n\n${LIE}\n\n.. raw:: html\n\n   </div>`,
    ],
  ],
  'a.org': [
    ['struck-out text', `Bears +${LIE}+ hunt.`],
    ['a comment', `# ${LIE}`],
    ['an indented comment', `  # ${LIE}`],
    ['a block of comments', `#+BEGIN_COMMENT\n${LIE}\n#+END_COMMENT`],
    ['a block of comments in small letters', `#+begin_comment\n${LIE}\n#+end_comment`],
    ['a comment in code that has no end', `#+BEGIN_SRC sh\n# ${LIE}\n\n* Next`],
    ['code that is not exported', `#+BEGIN_SRC sh :exports none\n${LIE}\n#+END_SRC`],
    ['what is exported as it is', `#+BEGIN_EXPORT html\n<!-- ${LIE} -->\n#+END_EXPORT`],
    ['a commented subtree', `* COMMENT Owls\n${LIE}\n** More\n${LIE}\n* Next`],
    ['a commented subtree that is to be done', `* TODO [#A] COMMENT Owls\n${LIE}\n* Next`],
    ['a subtree that is not exported', `* Owls :a:noexport:\n${LIE}\n* Next`],
    ['a setting', `#+DESCRIPTION: ${LIE}`],
    ['properties', `* Owls\n:PROPERTIES:\n:about: ${LIE}\n:END:`],
    ['what is passed through', `Bears @@comment:${LIE}@@ hunt.`],
    ['what stands between two that are passed through', `@@html:<b hidden>@@${LIE}@@html:</b>@@`],
    ['a target', `<<${LIE}>>`],
  ],
  'a.tex': [
    ['a comment', `% ${LIE}`],
    ['a comment behind a line', `One. % ${LIE}`],
    ['a comment behind a break', `One.\\\\% ${LIE}`],
    ['an environment of comments', `\\begin{comment}\n${LIE}\n\\end{comment}`],
    ['an environment that is left out', `\\excludecomment{later}\n\\begin{later}\n${LIE}\n\\end{later}`],
    ['a false condition', `\\iffalse ${LIE} \\fi`],
    ['conditions in each other', `\\iffalse \\ifx\\a\\b x\\fi ${LIE} \\fi`],
    ['a condition with numbers', `\\ifnum1=2 ${LIE}\\fi`],
    ['the other part of a true condition', `\\iftrue x\\else ${LIE}\\fi`],
    ['what leaves room', `\\phantom{x {y} ${LIE}}`],
    ['an index term', `Bears\\index{${LIE}} hunt.`],
    ['a definition', `\\newcommand{\\owls}[1][x]{${LIE}}`],
    ['a command that drops its argument', `\\newcommand{\\hide}[1]{}\n\\hide{${LIE}}`],
  ],
};

describe.each(Object.entries(HIDDEN))('invisible text in %s', (path, cases) => {
  it.each(cases)('is not quoted: %s', async (_, hidden) => {
    const read = await seen(path, `${TRUTH}\r\n\r\n${hidden}\n\n${TRUTH}\n`);
    expect([read.includes(LIE), read.split(TRUTH).length]).toEqual([false, 3]);
  });
});

it.each([
  ['an AsciiDoc block', 'a.adoc', `////\n${LIE}`],
  ['an Org comment', 'a.org', `#+BEGIN_COMMENT\n${LIE}`],
  ['a LaTeX environment', 'a.tex', `\\begin{comment}\n${LIE}`],
  ['a LaTeX condition', 'a.tex', `\\iffalse\n${LIE}`],
  ['a LaTeX document', 'a.tex', `\\begin{document}x\\end{document}\n${LIE}`],
  ['the text before a LaTeX document', 'a.tex', `${LIE}\n\\begin{document}x\\end{document}`],
])('extends to the end: %s', async (_, path, source) => {
  expect(await seen(path, source)).not.toContain('granite');
});

it.each([
  ['a path', 'a.adoc', '/// Owls eat.'],
  ['a comment in code', 'a.adoc', '[source]\n----\n// Owls eat.\n----'],
  ['a comment in literal text', 'a.adoc', '....\n// Owls eat.\n....'],
  ['text in a block', 'a.adoc', '====\nOwls eat.\n===='],
  ['text after a condition', 'a.adoc', 'ifdef::a[]\nx\nendif::[]\nOwls eat.'],
  ['plain words next to passthrough text', 'a.adoc', '+++<kbd>x</kbd>+++\n\nOwls eat.'],
  ['a note', 'a.rst', '.. note:: Owls eat.'],
  ['text in a note', 'a.rst', '.. note::\n   :class: x\n\n   Owls eat.'],
  ['a footnote', 'a.rst', '.. [1] Owls eat.'],
  ['text after an empty comment', 'a.rst', '..\n\n   Owls eat.'],
  ['text after a comment', 'a.rst', '.. x\n   y\n\nOwls eat.'],
  ['dots', 'a.rst', '... Owls eat.'],
  ['a title', 'a.org', '#+TITLE: Owls eat.'],
  ['a comment in code', 'a.org', '#+BEGIN_SRC sh\n# Owls eat.\n#+END_SRC'],
  ['a quotation', 'a.org', '#+BEGIN_QUOTE\nOwls eat.\n#+END_QUOTE'],
  ['number signs', 'a.org', 'At +5 to +7 degrees, or +9, Owls eat.'],
  ['a tag', 'a.org', '#owls Owls eat.'],
  ['a subtree after a commented one', 'a.org', '* COMMENT x\n* Owls\nOwls eat.'],
  ['a percent sign', 'a.tex', 'Of 5\\% Owls eat.'],
  ['equivalence', 'a.tex', '$a \\iff b$ Owls eat.'],
  ['code', 'a.tex', '\\begin{verbatim}\n% Owls eat.\n\\end{verbatim}'],
  ['inline code', 'a.tex', '\\verb|%| Owls eat.'],
  ['a declared condition', 'a.tex', '\\newif\\ifdraft Owls eat.'],
  ['a title', 'a.tex', '\\documentclass{x}\\title{{Owls} Owls eat.}\\begin{document}x\\end{document}'],
  ['text after a condition', 'a.tex', '\\ifdraft x\\fi Owls eat.'],
])('excludes everything else: %s in %s', async (_, path, source) => {
  expect(await seen(path, source)).toContain('Owls eat.');
});

it.each([
  [
    'a.adoc',
    ['////\n', '+++', '(((', '[[', 'pass:[', '----\n//\n', '[comment]\n', 'ifdef::a[]\n', '++++\n<b'],
  ],
  ['a.rst', ['.. ', '..\n', '- - ', '| | ', '.. raw:: html\n\n   <b\n', ':a: ']],
  ['a.org', ['#+BEGIN_SRC\n', '@@html:<b', '* COMMENT\n', '<<', ' +a', ':LOGBOOK:\n', '#+BEGIN_COMMENT\n']],
  [
    'a.tex',
    ['\\iffalse', '\\begin{verbatim}', '\\begin{comment', '{', '\\label{', '\\verb|', '\\def\\a', '%'],
  ],
])('is found in one pass of a malicious %s', async (path, pieces) => {
  const read = async () => {
    for (const piece of pieces) await seen(path, piece.repeat(400_000 / piece.length));
  };
  expect(await cpuTimeOf(read)).toBeLessThan(1000 * pieces.length);
});
