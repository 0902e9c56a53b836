import { withoutUnseen } from './unseen.ts'

/** Visible ASCII with single spaces inside: nearly all codes and numbers are, and long sheets hold a million of them. */
const isPlain = (text: string): boolean => /^(?:[!-~]+(?: [!-~]+)*)?$/.test(text)

/** Everything that ends a line somewhere. */
const breaks = /\r\n?|[\v\f\u0085\u2028\u2029]/g
const controls = /\p{Cc}/gu
/** Spaces that look like the usual one; the ideographic space is seen to be wider and stays inside of a text. */
const spaces = /[\u00A0\u1680\u2000-\u200A\u202F\u205F]/g

const withoutControls = (text: string): string =>
  withoutUnseen(text.replace(controls, char => (char === '\t' || char === '\n' ? char : '')).replace(spaces, ' ')).normalize('NFC')

/**
 * Text of one line as it is meant: breaks and tabs are spaces; what cannot be seen or printed and spaces around it are left out; characters are
 * composed (NFC). Every text that comes in goes through this or through {@link tidyText}; passwords go through neither.
 */
export const tidyLine = (text: string): string =>
  isPlain(text) ? text : withoutControls(text.replace(breaks, '\n').replace(/[\t\n]+/g, ' ')).trim()

/** The same for text of several lines, whose breaks stay. */
export const tidyText = (text: string): string => tidyTable(text).replaceAll('\t', ' ')

/** The same for lines out of a sheet: tabs stay too, because they part its cells. */
export const tidyTable = (text: string): string => (isPlain(text) ? text : withoutControls(text.replace(breaks, '\n')).trim())

/** Whether a text holds something that {@link tidyLine} would leave out within it: a password with it could not be typed again. */
export const holdsUnseen = (text: string): boolean => /\p{Cc}/u.test(text) || withoutUnseen(text) !== text
