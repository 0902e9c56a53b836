export interface Selection {
  readonly ids: ReadonlySet<string>
  readonly onChange: (ids: ReadonlySet<string>) => void
}

/** How the rows of a page stand to a selection that goes over pages. */
export interface PageChecks {
  readonly all: boolean
  /** Some of them, not all. */
  readonly some: boolean
  readonly select: (hit: readonly string[], into: boolean) => void
}

export const pageChecks = (ids: readonly string[], selection: Selection): PageChecks => {
  const all = ids.length > 0 && ids.every(id => selection.ids.has(id))
  return {
    all,
    some: !all && ids.some(id => selection.ids.has(id)),
    select: (hit, into) => {
      const next = new Set(selection.ids)
      for (const id of hit) {
        if (into) next.add(id)
        else next.delete(id)
      }
      selection.onChange(next)
    },
  }
}
