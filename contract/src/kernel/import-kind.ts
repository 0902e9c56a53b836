import type { Label } from './label.ts'
import { permissionOf } from './permission.ts'
import type { Resource } from './resource.ts'
import type { PermissionCode } from './route.ts'

/**
 * One kind of workbook that comes in. Its context lists it (`imports` of `context.ts`) and its module brings the importer: one without the other
 * stops the start. Pages, trail and importer say it by this alone.
 */
export interface ImportKind {
  /** Of domain 5.9: `T1`, `T6`. */
  readonly kind: string
  readonly label: Label
  /** What came in, as the audit trail says it. */
  readonly trail: Label
  readonly permission: PermissionCode
  /** The importing call, below /api. */
  readonly path: `/${string}`
  /** Whether the right rows may come in without the others (domain 5.9, policy). */
  readonly partial: boolean
}

/** Words of the trail for kinds of imports, by what stands in its codes (`import.T6`). */
export const importVerbs = (kinds: Readonly<Record<string, ImportKind>>): Readonly<Record<string, Label>> =>
  Object.fromEntries(Object.values(kinds).map(({ kind, trail }) => [kind, trail]))

/** A plain noun that says by what field its rows are known comes in by one of its own. */
export const importKindOf = ({ name, label, permission, basePath, workbook }: Resource): ImportKind | undefined =>
  workbook && {
    kind: workbook.kind ?? name,
    label,
    trail: label,
    permission: permissionOf(permission, 'import'),
    path: workbook.path ?? (`${basePath}/import` as `/${string}`),
    partial: true,
  }
