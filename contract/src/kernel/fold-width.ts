/** Visible ASCII and nothing else. */
const isPlain = (text: string): boolean => !/[^!-~]/.test(text)

/**
 * Full-width ASCII (U+FF01–U+FF5E) and the ideographic space become their half-width twins, outer white space goes.
 * Chinese input methods leave such characters in numbers; they mean the same, so they are folded, never refused.
 */
export const foldWidth = (text: string): string =>
  // Nearly every code and number is: long sheets hold a million of them.
  isPlain(text)
    ? text
    : text
        .replace(/[\uFF01-\uFF5E]/g, char => String.fromCharCode(char.charCodeAt(0) - 0xfee0))
        .replaceAll('\u3000', ' ')
        .trim()
