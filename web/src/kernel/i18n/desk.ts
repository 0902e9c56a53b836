import { deskEn, deskZh } from './desk-texts.ts'
import { addKernelTexts, defineTexts } from './index.ts'

/**
 * Kernel texts that only the console says. `t` finds their keys everywhere, but they are there only once the console's entry has
 * imported this file: the first page of a phone need not carry them (ADR 0014).
 */
export const deskTexts = defineTexts(deskZh, deskEn)

addKernelTexts(deskTexts)
