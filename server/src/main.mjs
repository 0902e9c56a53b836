// The entry: everything else is loaded from a cache of compiled code, so that a start need not strip the types of a thousand files again.
// Itself without types: what strips them is not even loaded then, which saves 16 MB and some of the start.
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// Beside the packages, where only those may write who may change the program itself. Without a place to write the program starts as well.
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/kaopu-code', import.meta.url)))

await import('./program.ts')
