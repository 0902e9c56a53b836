import type { Option } from './use-dict.ts'

/**
 * The choices of a control and before them what is chosen and not among them: it is called by a word, because ids are for programs.
 * @param isReading - the choices are on the way; `unread` stands for what is missing when they have come
 */
export const namedChoices = <C extends Option>(
  choices: readonly C[],
  chosen: readonly string[],
  isReading: boolean,
  unread: string,
): (C | Option)[] => [
  ...chosen.filter(id => choices.every(({ value }) => value !== id)).map(value => ({ value, label: isReading ? '…' : unread })),
  ...choices,
]
