import type { KeyboardEvent } from 'react'

/** The kit empties the choice of one by its cross alone, where no keyboard comes: Backspace and Delete do the same as long as nothing is typed. */
export const clearByKey =
  (clear: () => void) =>
  ({ key, target }: KeyboardEvent<HTMLElement>): void => {
    if ((key === 'Backspace' || key === 'Delete') && target instanceof HTMLInputElement && target.value === '') clear()
  }
