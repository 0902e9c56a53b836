export {
  codeWithZeros,
  columnLetter,
  failRepeated,
  type HeaderSpec,
  headerKey,
  isScientific,
  openSheet,
  type RowReader,
  requiredReason,
  sameAsReason,
} from './domain/sheet.ts'
export { shownText } from './domain/sheet-cell.ts'
export { flagOf, namesIn, short, sortOf, templateAnswer } from './imports/cells.ts'
export { importedNoun } from './imports/imported-noun.ts'
export type { RunImport } from './imports/importer.ts'
export type { ImportDefinition } from './imports/run-import.ts'
export { explanationSheet, templateBook, templateColumn } from './imports/template-book.ts'
export type { TransferModule } from './module.ts'
export type { NounRules } from './nouns/write-nouns.ts'
