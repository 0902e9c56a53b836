import { type ApiInput, type ApiOutput, api } from '#web/kernel/api.ts'

/** The platform's dictionary or the tenant's; the word is also the prefix of the button codes. */
export type Kind = 'dict' | 'dictbiz'
export type DictRow = ApiOutput<'GET /blade-system/dict/child-list'>[number]
export type DictGroup = ApiOutput<'GET /blade-system/dict/list'>[number]
type Search = { readonly code?: string; readonly dictValue?: string }

/** Under these names their lists are kept, so that a change draws all of them anew. */
export const listName = (kind: Kind, ...more: readonly string[]): string => ['dictionary', kind, ...more].join('-')
export const isDictList = (key: readonly unknown[]): boolean =>
  key[0] === 'dict' || (key[0] === 'list' && String(key[1]).startsWith('dictionary-'))

const calls = {
  dict: {
    list: 'GET /blade-system/dict/list',
    parents: 'GET /blade-system/dict/parent-list',
    children: 'GET /blade-system/dict/child-list',
    detail: 'GET /blade-system/dict/detail',
    submit: 'POST /blade-system/dict/submit',
    addEntries: 'POST /blade-system/dict/add-entries',
    remove: 'POST /blade-system/dict/remove',
  },
  dictbiz: {
    list: 'GET /blade-system/dict-biz/list',
    parents: 'GET /blade-system/dict-biz/parent-list',
    children: 'GET /blade-system/dict-biz/child-list',
    detail: 'GET /blade-system/dict-biz/detail',
    submit: 'POST /blade-system/dict-biz/submit',
    addEntries: 'POST /blade-system/dict-biz/add-entries',
    remove: 'POST /blade-system/dict-biz/remove',
  },
} as const

export const exportPath = { dict: '/blade-system/dict/export-dict', dictbiz: '/blade-system/dict-biz/export-dict' } as const

export const readGroups = (kind: Kind, search: Search, signal: AbortSignal) =>
  api.call(calls[kind].list, { ...search }, { signal, quiet: true })
export const readParents = (kind: Kind, query: Search & { readonly current?: number; readonly size?: number }, signal: AbortSignal) =>
  api.call(calls[kind].parents, { ...query }, { signal, quiet: true })
export const readChildren = (kind: Kind, parentId: string, search: Search, signal: AbortSignal) =>
  api.call(calls[kind].children, { ...search, parentId }, { signal, quiet: true })
export const readGroup = (kind: Kind, id: string, signal: AbortSignal): Promise<DictRow> =>
  api.call(calls[kind].detail, { id }, { signal, quiet: true })
export const saveDict = (kind: Kind, row: ApiInput<'POST /blade-system/dict/submit'>, quiet: boolean | 'fields' = false) =>
  api.call(calls[kind].submit, row, { quiet })
export const removeDict = (kind: Kind, ids: readonly string[]) => api.call(calls[kind].remove, { ids: ids.join(',') })
export const addEntries = (kind: Kind, parentId: string, lines: string) =>
  api.call(calls[kind].addEntries, { parentId, lines }, { quiet: 'fields' })
