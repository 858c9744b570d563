import { FLAT_HEADING, type Format } from './format.ts';
import { withoutBraces } from './trailing-braces.ts';

const DEFINITION =
  /^(export |public |private |protected |static |final |abstract |async |pub |@\w+|template\s*<)*(function|class|interface|enum|struct|impl|trait|def|func|fn|module|namespace|object|type|sub|package)\b/;
/** Matches lines that belong to the line below them: decorators, attributes, comments. */
const ANNOTATION = /^\s*(@|#\[|\/\/|\/\*|\*)/;
/** Matches the start of a definition's annotation. */
const ANNOTATION_START = /^(@|#\[|\/\*\*)/;
const TOP_LEVEL = /^[^\s}\])]/;

/** Types that browsers execute. */
const RUN_TYPES = ['text/javascript', 'text/css'];

/** Program sources. */
export const code: Format<'code', 'text'> = {
  name: 'code',
  version: 3,
  title: 'code',
  extensions: (
    'js jsx mjs cjs ts tsx mts cts py pyi java go rs cpp cc cxx c h hpp hh rb php cs kt kts swift scala dart lua pl pm ' +
    'groovy r jl hs ml fs fsx clj cljs ex exs erl sh bash zsh fish ps1 bat cmd sql graphql gql proto cmake make mk ' +
    'css scss sass less vue svelte astro tf hcl nix vim el lisp scm asm s m mm zig nim v sol'
  ).split(' '),
  mediaType: 'text/plain',
  /**
   * By extension, sources would be videos (`.ts`), fonts, or programs. Only formats that browsers run have a
   * type of their own.
   */
  rawType: (byExtension) =>
    byExtension !== null && RUN_TYPES.includes(byExtension) ? byExtension : 'text/plain',
  content: 'text',
  unit: 'line',
  structure: {
    belongsToBefore: (line, before) => line.trim() !== '' && ANNOTATION.test(before),
    startsSection: (line, blankBefore) =>
      TOP_LEVEL.test(line) && (blankBefore || DEFINITION.test(line) || ANNOTATION_START.test(line)),
    heading: (line) =>
      DEFINITION.test(line) ? { level: FLAT_HEADING, text: withoutBraces(line.trimEnd()) } : undefined,
  },
};
