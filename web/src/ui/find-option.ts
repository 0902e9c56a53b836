import { isFoundIn } from '#contract/kernel/search-fold.ts'

/** Whether what was typed finds a choice: by words in any order, whatever the width, or by initials. */
export const findOption = (typed: string, option?: { readonly label?: unknown }): boolean => isFoundIn(String(option?.label ?? ''), typed)
