export { listEntries } from './data/dict.repo.ts'
export { type DictionaryEntry, readDictionaries } from './dictionaries.ts'
export { regionName } from './region-name.ts'
