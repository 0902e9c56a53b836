/** Zero-width space, marks of direction and the byte order mark: they hide or turn round what stands beside them. Joiners stay, scripts need them. */
const unseen = /[\u200B\u200E\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]/g
const controls = /\p{Cc}/gu

/** Text of one line, as copied text is meant: breaks and tabs are spaces, what cannot be seen or printed is left out. */
export const tidyLine = (text: string): string =>
  text
    .replace(/[\t\n\r]+/g, ' ')
    .replace(controls, '')
    .replace(unseen, '')

/** The same for text of several lines, whose breaks stay. */
export const tidyText = (text: string): string => text.replace(/\r\n?/g, '\n').split('\n').map(tidyLine).join('\n')
