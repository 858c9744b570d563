import type { Format } from './format.ts';

/** Plain text, and formats that are read as plain text, such as settings, and markup with meaningful tags. */
export const text: Format<'text', 'text'> = {
  name: 'text',
  version: 3,
  title: 'text',
  extensions: (
    'txt text json json5 yaml yml toml xml xsl xsd svg ini cfg conf config env properties sty srt vtt po pot ' +
    'patch diff dem lock gradle plist tmpl template jinja j2 dtd ent'
  ).split(' '),
  names: (
    'readme license licence copying copyright notice authors contributors changelog changes news todo install makefile ' +
    'dockerfile vagrantfile gemfile rakefile procfile'
  ).split(' '),
  mediaType: 'text/plain',
  content: 'text',
  unit: 'line',
};
