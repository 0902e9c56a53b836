import type { CDPSession } from 'playwright-core'

/** MB of one page's heap by who made it: what the program keeps, and the machine code that the browser makes of functions which run often. */
export interface Kinds {
  readonly kept: number
  readonly code: number
}

interface Snapshot {
  readonly snapshot: { readonly meta: { readonly node_fields: readonly string[]; readonly node_types: readonly [readonly string[]] } }
  readonly nodes: readonly number[]
}

/** Kinds of a snapshot that are no part of the figure of `JSHeapUsedSize`: nodes of the document, the browser's own lists. */
const outside: ReadonlySet<string | undefined> = new Set(['native', 'synthetic'])

export const kindsOf = async (cdp: CDPSession): Promise<Kinds> => {
  const parts: string[] = []
  const take = ({ chunk }: { readonly chunk: string }) => void parts.push(chunk)
  cdp.on('HeapProfiler.addHeapSnapshotChunk', take)
  await cdp.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false })
  cdp.off('HeapProfiler.addHeapSnapshotChunk', take)
  const { snapshot, nodes } = JSON.parse(parts.join('')) as Snapshot
  const { node_fields: fields, node_types: types } = snapshot.meta
  const [type, size] = [fields.indexOf('type'), fields.indexOf('self_size')]
  let [kept, code] = [0, 0]
  for (let at = 0; at < nodes.length; at += fields.length) {
    const kind = types[0][nodes[at + type] ?? 0]
    const bytes = nodes[at + size] ?? 0
    if (kind === 'code') code += bytes
    else if (!outside.has(kind)) kept += bytes
  }
  return { kept: kept / 1e6, code: code / 1e6 }
}
