export type { StoredFileRow } from './data/file.repo.ts'
export { findFile, insertFile, removeFile } from './data/file.repo.ts'
export type { FileModule } from './module.ts'
export { createStoragePlaces, type StoragePlaces } from './places.ts'
