import { create } from 'zustand'
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

export const usePermissionStore = create<{ granted: ReadonlySet<string> | null }>(() => ({ granted: null }))
onForget(() => usePermissionStore.setState({ granted: null }))

let loading: Promise<void> | null = null
const load = async (): Promise<void> => {
  const tree = await api.call('GET /blade-system/menu/buttons')
  usePermissionStore.setState({ granted: flagsOf(tree) })
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
  return code => granted?.has(code) ?? false
}
