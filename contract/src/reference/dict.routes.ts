import { type Static, Type } from 'typebox'
import { exportJobView } from '../kernel/export-job.ts'
import { pageInput, pageOf } from '../kernel/page.ts'
import { type Access, defineRoute } from '../kernel/route.ts'
import { id, ids, named, optional, strict, text } from '../kernel/schema.ts'
import { treeNode, treeOf } from '../kernel/tree.ts'

/** A group (`parentId` 0, key -1) or an entry of it (S3.05). */
const dictRow = Type.Object({
  id: Type.String(),
  parentId: Type.String(),
  code: Type.String(),
  dictKey: Type.String(),
  dictValue: Type.String(),
  dictValueEn: Type.String(),
  sort: Type.Integer(),
  isSealed: Type.Integer(),
  remark: Type.String(),
  hasChildren: Type.Boolean(),
  version: Type.Integer(),
})
export type DictRow = Static<typeof dictRow>

const search = { code: optional(named({ zh: '字典编号', en: 'Dictionary code' }, text(60))), dictValue: optional(text(120)) }

const choiceOf = <const P extends string>(path: P, access: Access, means: string) =>
  defineRoute({
    method: 'GET',
    path,
    access,
    input: strict({}),
    output: Type.Array(Type.Object({ id: Type.String(), code: Type.String(), dictValue: Type.String() })),
    tx: 'own',
    means,
  })
const entriesOf = <const P extends string>(path: P, means: string) =>
  defineRoute({
    method: 'GET',
    path,
    access: { signedIn: true, because: 'forms and lists show its words; nothing personal is in a dictionary' },
    input: strict({ code: named({ zh: '字典编号', en: 'Dictionary code' }, text(60, { minLength: 1 })) }),
    output: Type.Array(treeOf(Type.Object({ ...treeNode.properties, dictKey: Type.String(), isSealed: Type.Integer() }), 2)),
    tx: 'own',
    means,
  })

/** Who may call what of a dictionary: `dict` is the platform's, `dictbiz` the tenant's. */
const accessOf = (permission: 'dict' | 'dictbiz') => ({
  view: { staff: `${permission}_view` } as const,
  of: (...actions: readonly ('add' | 'edit' | 'delete' | 'export')[]): Access => {
    const staff = actions.map(action => `${permission}_${action}` as const)
    return permission === 'dict' ? { staff, platform: true, because: 'every tenant reads the platform’s dictionary' } : { staff }
  },
})
type DictAccess = ReturnType<typeof accessOf>
const dictAccess = accessOf('dict')
const dictBizAccess = accessOf('dictbiz')

const groupsOf = <const P extends string>(path: P, access: DictAccess) =>
  defineRoute({
    method: 'GET',
    path,
    access: access.view,
    input: strict(search),
    output: Type.Array(Type.Object({ ...dictRow.properties, children: optional(Type.Array(dictRow)) })),
    tx: 'own',
  })
const parentsOf = <const P extends string>(path: P, access: DictAccess) =>
  defineRoute({
    method: 'GET',
    path,
    access: access.view,
    input: strict({ ...pageInput, ...search }),
    output: pageOf(dictRow),
    tx: 'own',
  })
const childrenOf = <const P extends string>(path: P, access: DictAccess) =>
  defineRoute({
    method: 'GET',
    path,
    access: access.view,
    input: strict({ ...pageInput, ...search, parentId: id(), dictKey: optional(text(60)) }),
    output: Type.Array(dictRow),
    tx: 'own',
  })
const treeRouteOf = <const P extends string>(path: P, access: DictAccess) =>
  defineRoute({
    method: 'GET',
    path,
    access: access.view,
    input: strict({ code: optional(named({ zh: '字典编号', en: 'Dictionary code' }, text(60))) }),
    output: Type.Array(treeOf(treeNode, 2)),
    tx: 'own',
  })
const parentTreeOf = <const P extends string>(path: P, access: DictAccess) =>
  defineRoute({
    method: 'GET',
    path,
    access: access.view,
    input: strict({}),
    output: Type.Array(treeNode),
    tx: 'own',
    means: 'the dictionaries without their entries',
  })
const detailOf = <const P extends string>(path: P, access: DictAccess) =>
  defineRoute({
    method: 'GET',
    path,
    access: access.view,
    input: strict({ id: id() }),
    output: Type.Object({ ...dictRow.properties, parentName: Type.String() }),
    tx: 'own',
  })
const exportOf = <const P extends string>(path: P, access: DictAccess) =>
  defineRoute({
    method: 'GET',
    path,
    access: access.of('export'),
    input: strict(search),
    output: exportJobView,
    answer: 'file',
    tx: 'own',
  })
const submitOf = <const P extends string>(path: P, access: DictAccess) =>
  defineRoute({
    method: 'POST',
    path,
    access: access.of('add', 'edit'),
    input: strict({
      id: optional(Type.Union([id(), Type.Literal('')])),
      parentId: optional(Type.Union([id(), Type.Literal(''), Type.Null()])),
      code: text(60, {
        minLength: 1,
        pattern: '^[A-Za-z][A-Za-z0-9_-]{0,59}$',
        'x-label': { zh: '字典编号', en: 'Code' },
        'x-required': { zh: '请输入字典编号', en: 'Please enter the code' },
      }),
      dictValue: text(120, { minLength: 1, 'x-required': { zh: '请输入字典名称', en: 'Please enter the name' } }),
      dictValueEn: optional(text(160)),
      dictKey: optional(text(60, { 'x-label': { zh: '字典键值', en: 'Key' } })),
      sort: Type.Integer({
        minimum: 0,
        maximum: 9999,
        'x-label': { zh: '排序', en: 'Order' },
        'x-required': { zh: '请输入字典排序', en: 'Please enter the order' },
      }),
      /** Absent: of a new row 0, else as it is. */
      isSealed: optional(Type.Union([Type.Literal(0), Type.Literal(1)], { 'x-label': { zh: '封存', en: 'Sealed' } })),
      remark: optional(text(255)),
      version: optional(Type.Integer({ minimum: 0 })),
    }),
    output: Type.Object({ id: Type.String() }),
    tx: 'own',
  })
const addEntriesOf = <const P extends string>(path: P, access: DictAccess) =>
  defineRoute({
    method: 'POST',
    path,
    access: access.of('add'),
    input: strict({
      parentId: id(),
      lines: text(70_000, {
        minLength: 1,
        'x-lines': 'table',
        'x-label': { zh: '字典项', en: 'Entries' },
        'x-required': { zh: '请粘贴字典项，每行一项', en: 'Paste the entries, one a line' },
      }),
    }),
    output: Type.Object({ added: Type.Integer() }),
    tx: 'own',
    means: 'entries of one dictionary as they are pasted, a line each: all of them or none',
  })
const removeOf = <const P extends string>(path: P, access: DictAccess) =>
  defineRoute({
    method: 'POST',
    path,
    access: access.of('delete'),
    input: strict({ ids: optional(ids()) }),
    output: Type.Object({ removed: Type.Integer() }),
    tx: 'own',
  })

/**
 * The calls of a dictionary (S7.18, framework-contract 3.7). A child takes the code of its group; a sealed entry is offered no more and still
 * names what holds it.
 */
export const dictBiz = {
  list: groupsOf('/blade-system/dict-biz/list', dictBizAccess),
  parents: parentsOf('/blade-system/dict-biz/parent-list', dictBizAccess),
  children: childrenOf('/blade-system/dict-biz/child-list', dictBizAccess),
  tree: treeRouteOf('/blade-system/dict-biz/tree', dictBizAccess),
  parentTree: parentTreeOf('/blade-system/dict-biz/parent-tree', dictBizAccess),
  select: choiceOf('/blade-system/dict-biz/select', dictBizAccess.view, 'dictionaries that are not sealed'),
  selectAll: choiceOf('/blade-system/dict-biz/select-all', dictBizAccess.view, 'all dictionaries, sealed ones too'),
  dictionaryTree: entriesOf('/blade-system/dict-biz/dictionary-tree', 'a dictionary with the entries that may be chosen'),
  dictionaryFull: entriesOf('/blade-system/dict-biz/dictionary-full', 'a dictionary with all its entries, sealed ones too'),
  detail: detailOf('/blade-system/dict-biz/detail', dictBizAccess),
  export: exportOf('/blade-system/dict-biz/export-dict', dictBizAccess),
  submit: defineRoute({
    ...submitOf('/blade-system/dict-biz/submit', dictBizAccess),
    also: ['POST /blade-system/dict-biz/save', 'POST /blade-system/dict-biz/update'],
  }),
  addEntries: addEntriesOf('/blade-system/dict-biz/add-entries', dictBizAccess),
  remove: removeOf('/blade-system/dict-biz/remove', dictBizAccess),
}
export const dict = {
  list: groupsOf('/blade-system/dict/list', dictAccess),
  parents: parentsOf('/blade-system/dict/parent-list', dictAccess),
  children: childrenOf('/blade-system/dict/child-list', dictAccess),
  tree: treeRouteOf('/blade-system/dict/tree', dictAccess),
  parentTree: parentTreeOf('/blade-system/dict/parent-tree', dictAccess),
  select: choiceOf('/blade-system/dict/select', dictAccess.view, 'dictionaries that are not sealed'),
  selectAll: choiceOf('/blade-system/dict/select-all', dictAccess.view, 'all dictionaries, sealed ones too'),
  dictionaryTree: entriesOf('/blade-system/dict/dictionary-tree', 'a dictionary with the entries that may be chosen'),
  dictionaryFull: entriesOf('/blade-system/dict/dictionary-full', 'a dictionary with all its entries, sealed ones too'),
  detail: detailOf('/blade-system/dict/detail', dictAccess),
  export: exportOf('/blade-system/dict/export-dict', dictAccess),
  submit: defineRoute({
    ...submitOf('/blade-system/dict/submit', dictAccess),
    also: ['POST /blade-system/dict/save', 'POST /blade-system/dict/update'],
  }),
  addEntries: addEntriesOf('/blade-system/dict/add-entries', dictAccess),
  remove: removeOf('/blade-system/dict/remove', dictAccess),
}
export type DictRoutes = typeof dictBiz | typeof dict

const listed = <R extends DictRoutes>(routes: R) =>
  [
    routes.list,
    routes.parents,
    routes.children,
    routes.tree,
    routes.parentTree,
    routes.select,
    routes.selectAll,
    routes.dictionaryTree,
    routes.dictionaryFull,
    routes.detail,
    routes.export,
    routes.submit,
    routes.addEntries,
    routes.remove,
  ] as const
export const dictRoutes = [...listed(dictBiz), ...listed(dict)] as const
