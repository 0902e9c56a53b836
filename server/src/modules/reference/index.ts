export { listEntries } from './data/dict.repo.ts'
export { type DictionaryEntry, readDictionaries } from './dictionaries.ts'
export type { ReferenceModule } from './module.ts'
export { regionName } from './region-name.ts'
