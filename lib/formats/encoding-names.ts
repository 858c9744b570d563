/** Encodings of text files other than UTF-8: the names of the Encoding Standard, which TextDecoder knows. */
export const LEGACY_ENCODINGS = [
  'utf-16le',
  'utf-16be',
  'gb18030',
  'big5',
  'shift_jis',
  'euc-jp',
  'euc-kr',
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'windows-1257',
  'iso-8859-2',
  'iso-8859-5',
  'iso-8859-7',
  'koi8-r',
] as const;
export type TextEncodingName = 'utf-8' | (typeof LEGACY_ENCODINGS)[number];
