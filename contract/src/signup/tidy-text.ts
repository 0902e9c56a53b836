import { withoutUnseen } from '../kernel/unseen.ts'

const controls = /\p{Cc}/gu

/** Text of one line, as copied text is meant: breaks and tabs are spaces, what cannot be seen or printed is left out. */
export const tidyLine = (text: string): string => withoutUnseen(text.replace(/[\t\n\r]+/g, ' ').replace(controls, ''))

/** The same for text of several lines, whose breaks stay. */
export const tidyText = (text: string): string => text.replace(/\r\n?/g, '\n').split('\n').map(tidyLine).join('\n')
