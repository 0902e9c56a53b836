import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import { loadChunk } from './chunk.ts'

/** `lazy` with the care of `loadChunk`: `lazyPart(async () => (await import('./x.tsx')).X)`. */
export const lazyPart = <P extends object>(load: () => Promise<ComponentType<P>>): LazyExoticComponent<ComponentType<P>> =>
  lazy(async () => ({ default: await loadChunk(load) }))
