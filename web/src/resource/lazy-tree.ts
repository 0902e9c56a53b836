import { useQueries } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { listKey } from './crud-page.tsx'

interface Options<Node> {
  /** As of a list: `invalidateQueries({ queryKey: listKey(name) })` asks for every open level again. */
  readonly name: string
  readonly idOf: (node: Node) => string
  readonly hasChildren: (node: Node) => boolean
  /** One level: the roots for null (framework-contract 3.9 `lazy-list`). */
  readonly load: (parentId: string | null, signal: AbortSignal) => Promise<readonly Node[]>
}

/** A tree whose levels are asked for one at a time, when they are opened; give the answer to a `TreeTable`. */
export const useLazyTree = <Node>({ name, idOf, hasChildren, load }: Options<Node>) => {
  const [open, onOpen] = useState<ReadonlySet<string>>(new Set())
  const wanted = useMemo(() => [null, ...open], [open])
  const levels = useQueries({
    queries: wanted.map(parentId => ({
      queryKey: [...listKey(name), 'below', parentId],
      queryFn: ({ signal }: { signal: AbortSignal }) => load(parentId, signal),
    })),
    combine: results => ({
      byParent: new Map(results.map((result, index) => [wanted[index] ?? null, result.data])),
      busy: results.some(result => result.isFetching && result.data !== undefined),
      failed: results.find(result => result.isError),
      refetch: () => {
        for (const result of results) void result.refetch()
      },
    }),
  })
  const { byParent, failed, busy, refetch } = levels
  // A tree with one root says nothing while that is closed.
  const roots = byParent.get(null)
  const [root] = roots ?? []
  const only = roots?.length === 1 && root !== undefined && hasChildren(root) ? idOf(root) : undefined
  useEffect(() => {
    if (only !== undefined) onOpen(before => (before.size === 0 ? new Set([only]) : before))
  }, [only])
  const childrenOf = useCallback((node: Node) => byParent.get(idOf(node)), [byParent, idOf])
  return {
    name,
    roots,
    idOf,
    hasChildren,
    childrenOf,
    open,
    onOpen,
    busy,
    error: failed === undefined ? null : { message: failed.error?.message, onRetry: refetch },
    onRefresh: refetch,
  }
}
