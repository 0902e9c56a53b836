export type { SourceTree } from './deps.ts'
export type { DevelopModule } from './module.ts'
