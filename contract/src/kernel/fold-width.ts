import { tidyLine } from './tidy-text.ts'

/**
 * A code or number as it is meant: tidied, full-width ASCII (U+FF01–U+FF5E) and the ideographic space as their half-width twins. Chinese input methods
 * leave such characters in numbers; they mean the same, so they are folded, never refused.
 */
export const foldWidth = (text: string): string =>
  tidyLine(text.replace(/[\uFF01-\uFF5E]/g, char => String.fromCharCode(char.charCodeAt(0) - 0xfee0)).replaceAll('\u3000', ' '))

const dashes = /[\u2010-\u2015\u2212\uFE58\uFE63]/g

/** The same without the spaces and hyphens that part its groups where people print it: `8101-0101 0001` is `810101010001`. */
export const foldGroups = (text: string): string => foldWidth(text).replace(dashes, '-').replace(/[ -]+/g, '').normalize('NFC')
