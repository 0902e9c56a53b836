import { useCallback } from 'react'
import { create } from 'zustand'
import type { FieldLevel } from '#contract/kernel/field-rule.ts'
import { api } from './api.ts'
import { onForget } from './session.ts'

/** A node of the button tree (S3.16): only leaves grant something. */
export interface PermissionNode {
  readonly code?: string | null
  readonly children?: readonly PermissionNode[] | null
}

/** S6.03: the code of each leaf is a granted flag. A menu's own code is none (framework-contract 4.5). */
export const flagsOf = (tree: readonly PermissionNode[]): ReadonlySet<string> => {
  const granted = new Set<string>()
  const visit = (node: PermissionNode, depth: number) => {
    if (node.children && node.children.length > 0) for (const child of node.children) visit(child, depth + 1)
    else if (depth > 0 && node.code) granted.add(node.code)
  }
  for (const node of tree) visit(node, 0)
  return granted
}

interface Permissions {
  readonly granted: ReadonlySet<string> | null
  /** Fields, as `noun.field`, that are not seen in full. */
  readonly ruled: Readonly<Record<string, string>>
}
const none: Permissions = { granted: null, ruled: {} }
export const usePermissionStore = create<Permissions>(() => none)
onForget(() => usePermissionStore.setState(none))

let loading: Promise<void> | null = null
const load = async (): Promise<void> => {
  const [tree, ruled] = await Promise.all([api.call('GET /blade-system/menu/buttons'), api.call('GET /blade-system/field-rule/own')])
  usePermissionStore.setState({ granted: flagsOf(tree), ruled })
}
/** Asks the server at the start of the console; callers at the same time share one question. */
export const loadPermissions = (): Promise<void> => {
  loading ??= load().finally(() => {
    loading = null
  })
  return loading
}

/** `const can = useCan(); can('param_add')`. Before the answer nothing is granted. A hidden button is a courtesy: the server decides. */
export const useCan = (): ((code: string) => boolean) => {
  const granted = usePermissionStore(state => state.granted)
  return useCallback(code => granted?.has(code) ?? false, [granted])
}

type Ruled = Permissions['ruled']
const levelIn = (ruled: Ruled, field: string): FieldLevel => {
  const level = ruled[field]
  return level === 'masked' || level === 'hidden' ? level : 'full'
}

/**
 * `const levelOf = useFieldLevels('signup'); levelOf('phone')`: how much of a noun's field the reader sees. Leaving out what is hidden is a
 * courtesy: the server has masked it.
 */
export const useFieldLevels = (noun: string): ((field: string) => FieldLevel) => {
  const ruled = usePermissionStore(state => state.ruled)
  return useCallback(field => levelIn(ruled, `${noun}.${field}`), [ruled, noun])
}

/** A part of a screen that belongs to a field, as `noun.field`: a column, a box of a search. */
interface PartOfField {
  readonly field?: string
}
/** The parts whose field is not hidden; `full` for those that need all of it, as a search does. */
export const seenParts = <P extends PartOfField>(ruled: Ruled, parts: readonly P[], least: 'masked' | 'full'): readonly P[] =>
  parts.filter(({ field }) => {
    const level = field === undefined ? 'full' : levelIn(ruled, field)
    return level === 'full' || level === least
  })
