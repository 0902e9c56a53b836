import { foldWidth } from '../kernel/fold-width.ts'

/** Whether somebody typed this examination's code, as a confirmation that it is the one they mean: case and blanks around it do not matter. */
export const isExamCode = (typed: string | undefined, examCode: string): boolean =>
  foldWidth(typed ?? '').toUpperCase() === examCode.trim().toUpperCase()
