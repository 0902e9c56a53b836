import type { DeptNode } from './data/dept.repo.ts'

interface Known {
  readonly nodes: Map<string, DeptNode>
  /** Departments that changed since they were read. */
  readonly touched: Set<string>
  /** Reading follows on reading: what was read later is never overwritten by what was read before. */
  reading: Promise<void>
}

/** Tenants whose departments are remembered; the one asked for first goes first. */
const mostTenants = 100
/** When more have changed, all are read. */
const mostTouched = 200

/**
 * The departments of whole tenants, so that after a change the changed ones are read and not all. Whoever changes one says which (`touched`); other
 * processes hear it from the database (trigger `kept_notify` of dept), before they hear that kept answers are to be forgotten.
 */
export interface DeptNodes {
  /** @param read all departments, or those of these ids that there are */
  readonly of: (
    tenantId: string,
    read: (ids: readonly string[] | undefined) => Promise<readonly DeptNode[]>,
  ) => Promise<readonly DeptNode[]>
  readonly touched: (tenantId: string, ids: readonly string[]) => void
  /** Something may have changed that nobody told of. */
  readonly forget: () => void
}

export const createDeptNodes = (): DeptNodes => {
  const tenants = new Map<string, Known>()
  const remember = (tenantId: string, all: Promise<readonly DeptNode[]>): Known => {
    const nodes = new Map<string, DeptNode>()
    const reading = all.then(rows => {
      for (const row of rows) nodes.set(row.id, row)
    })
    const known: Known = { nodes, touched: new Set(), reading }
    const [oldest] = tenants.keys()
    if (tenants.size >= mostTenants && oldest !== undefined) tenants.delete(oldest)
    // Before they are there: what changes while they are read is read once more.
    tenants.set(tenantId, known)
    return known
  }
  return {
    of: async (tenantId, read) => {
      const known = tenants.get(tenantId) ?? remember(tenantId, read(undefined))
      if (known.touched.size > 0) {
        known.reading = known.reading.then(async () => {
          const ids = [...known.touched]
          if (ids.length === 0) return
          known.touched.clear()
          const rows = await read(ids)
          for (const id of ids) known.nodes.delete(id)
          for (const row of rows) known.nodes.set(row.id, row)
        })
      }
      try {
        await known.reading
      } catch (error) {
        // Nobody knows what is missing.
        if (tenants.get(tenantId) === known) tenants.delete(tenantId)
        throw error
      }
      return [...known.nodes.values()]
    },
    touched: (tenantId, ids) => {
      const known = tenants.get(tenantId)
      for (const id of ids) known?.touched.add(id)
      if (known && known.touched.size > mostTouched) tenants.delete(tenantId)
    },
    forget: () => tenants.clear(),
  }
}
