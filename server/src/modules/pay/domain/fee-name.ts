import { foldGroups } from '#contract/kernel/fold-width.ts'

/** What a fee is told apart by: its name whatever the width, case and spaces it was typed in. */
export const feeNameKey = (payName: string): string => foldGroups(payName).toLowerCase()
