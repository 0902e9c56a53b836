import { deptLevels } from '#contract/organisation/dept.routes.ts'

/** A department as far as its place in the tree goes. */
export interface PlacedDept {
  readonly id: string
  /** From the root down, without itself. */
  readonly ancestorIds: readonly string[]
}

export type DeptPlace = { readonly ancestorIds: readonly string[] } | { readonly problem: 'parent-missing' | 'below-itself' | 'too-deep' }

/**
 * Where a department may stand.
 *
 * @param self - the department that moves; undefined for a new one
 * @param parentId - `0` for a root
 * @param parent - the row of `parentId`; undefined when there is none
 * @param levelsBelow - levels that hang below `self` and move along
 */
export const placeDept = (
  self: PlacedDept | undefined,
  parentId: string,
  parent: PlacedDept | undefined,
  levelsBelow: number,
): DeptPlace => {
  if (parentId === '0') return { ancestorIds: [] }
  if (self !== undefined && parentId === self.id) return { problem: 'below-itself' }
  if (!parent) return { problem: 'parent-missing' }
  if (self !== undefined && parent.ancestorIds.includes(self.id)) return { problem: 'below-itself' }
  const ancestorIds = [...parent.ancestorIds, parent.id]
  if (ancestorIds.length + 1 + levelsBelow > deptLevels) return { problem: 'too-deep' }
  return { ancestorIds }
}
