import { TextDecoder } from 'node:util';

/** Code pages by number. Any other number is read as Western European, the most frequent. */
const CODE_PAGES: Record<number, string> = {
  866: 'ibm866',
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  1250: 'windows-1250',
  1251: 'windows-1251',
  1253: 'windows-1253',
  1254: 'windows-1254',
  1255: 'windows-1255',
  1256: 'windows-1256',
  1257: 'windows-1257',
  1258: 'windows-1258',
  10000: 'macintosh',
  20866: 'koi8-r',
  54936: 'gb18030',
  65001: 'utf-8',
};

/** Maps a font's `\fcharset` to a code page. Windows' default (0) and symbols (2) have none. */
const CHARACTER_SETS: Record<number, number> = {
  77: 10000,
  128: 932,
  129: 949,
  134: 936,
  136: 950,
  161: 1253,
  162: 1254,
  163: 1258,
  177: 1255,
  178: 1256,
  186: 1257,
  204: 1251,
  222: 874,
  238: 1250,
};

/** Returns the code page for bytes of an RTF text: that of their font, otherwise the file's. */
export function codePages() {
  const fonts = new Map<number, string>();
  const decoders = new Map<string, TextDecoder>();
  let own = 'windows-1252';
  return {
    setOwn: (page: number) => {
      own = CODE_PAGES[page] ?? 'windows-1252';
    },
    setFont: (font: number, characterSet: number) => {
      const label = CODE_PAGES[CHARACTER_SETS[characterSet] ?? 0];
      if (label !== undefined) fonts.set(font, label);
    },
    /** Takes bytes as characters up to 255. */
    decode: (bytes: string, font: number): string => {
      const label = fonts.get(font) ?? own;
      const decoder = decoders.get(label) ?? new TextDecoder(label);
      decoders.set(label, decoder);
      return decoder.decode(Buffer.from(bytes, 'latin1'));
    },
  };
}

export type CodePages = ReturnType<typeof codePages>;
