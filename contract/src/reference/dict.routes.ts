import { type Static, Type } from 'typebox'
import { exportJobView } from '../kernel/export-job.ts'
import { pageInput, pageOf } from '../kernel/page.ts'
import { type Access, defineRoute, type PermissionCode } from '../kernel/route.ts'
import { id, ids, optional, strict, text } from '../kernel/schema.ts'
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

const search = { code: optional(text(60)), dictValue: optional(text(120)) }

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
    input: strict({ code: text(60, { minLength: 1 }) }),
    output: Type.Array(treeOf(Type.Object({ ...treeNode.properties, dictKey: Type.String(), isSealed: Type.Integer() }), 2)),
    tx: 'own',
    means,
  })

/**
 * The calls of a dictionary (S7.18, framework-contract 3.7). A child takes the code of its group; a sealed entry is offered no more and still
 * names what holds it.
 */
const dictionaryRoutes = <const B extends '/blade-system/dict' | '/blade-system/dict-biz', const P extends 'dict' | 'dictbiz'>(
  base: B,
  permission: P,
) => {
  const view = { staff: `${permission}_view` } as const
  const writer = (...codes: readonly PermissionCode[]): Access =>
    permission === 'dict' ? { staff: codes, platform: true, because: 'every tenant reads the platform’s dictionary' } : { staff: codes }
  return {
    list: defineRoute({
      method: 'GET',
      path: `${base}/list`,
      access: view,
      input: strict(search),
      output: Type.Array(Type.Object({ ...dictRow.properties, children: optional(Type.Array(dictRow)) })),
      tx: 'own',
    }),
    parents: defineRoute({
      method: 'GET',
      path: `${base}/parent-list`,
      access: view,
      input: strict({ ...pageInput, ...search }),
      output: pageOf(dictRow),
      tx: 'own',
    }),
    children: defineRoute({
      method: 'GET',
      path: `${base}/child-list`,
      access: view,
      input: strict({ ...pageInput, ...search, parentId: id(), dictKey: optional(text(60)) }),
      output: Type.Array(dictRow),
      tx: 'own',
    }),
    tree: defineRoute({
      method: 'GET',
      path: `${base}/tree`,
      access: view,
      input: strict({ code: optional(text(60)) }),
      output: Type.Array(treeOf(treeNode, 2)),
      tx: 'own',
    }),
    parentTree: defineRoute({
      method: 'GET',
      path: `${base}/parent-tree`,
      access: view,
      input: strict({}),
      output: Type.Array(treeNode),
      tx: 'own',
      means: 'the dictionaries without their entries',
    }),
    select: choiceOf(`${base}/select`, view, 'dictionaries that are not sealed'),
    selectAll: choiceOf(`${base}/select-all`, view, 'all dictionaries, sealed ones too'),
    dictionaryTree: entriesOf(`${base}/dictionary-tree`, 'a dictionary with the entries that may be chosen'),
    dictionaryFull: entriesOf(`${base}/dictionary-full`, 'a dictionary with all its entries, sealed ones too'),
    detail: defineRoute({
      method: 'GET',
      path: `${base}/detail`,
      access: view,
      input: strict({ id: id() }),
      output: Type.Object({ ...dictRow.properties, parentName: Type.String() }),
      tx: 'own',
    }),
    export: defineRoute({
      method: 'GET',
      path: `${base}/export-dict`,
      access: writer(`${permission}_export`),
      input: strict(search),
      output: exportJobView,
      answer: 'file',
      tx: 'own',
    }),
    submit: defineRoute({
      method: 'POST',
      path: `${base}/submit`,
      access: writer(`${permission}_add`, `${permission}_edit`),
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
        isSealed: Type.Union([Type.Literal(0), Type.Literal(1)], {
          'x-label': { zh: '封存', en: 'Sealed' },
          'x-required': { zh: '请选择是否封存', en: 'Please choose whether it is sealed' },
        }),
        remark: optional(text(255)),
        version: optional(Type.Integer({ minimum: 0 })),
      }),
      output: Type.Object({ id: Type.String() }),
      tx: 'own',
    }),
    addEntries: defineRoute({
      method: 'POST',
      path: `${base}/add-entries`,
      access: writer(`${permission}_add`),
      input: strict({
        parentId: id(),
        lines: text(70_000, {
          minLength: 1,
          'x-label': { zh: '字典项', en: 'Entries' },
          'x-required': { zh: '请粘贴字典项，每行一项', en: 'Paste the entries, one a line' },
        }),
      }),
      output: Type.Object({ added: Type.Integer() }),
      tx: 'own',
      means: 'entries of one dictionary as they are pasted, a line each: all of them or none',
    }),
    remove: defineRoute({
      method: 'POST',
      path: `${base}/remove`,
      access: writer(`${permission}_delete`),
      input: strict({ ids: optional(ids()) }),
      output: Type.Object({ removed: Type.Integer() }),
      tx: 'own',
    }),
  }
}
export const dictBiz = dictionaryRoutes('/blade-system/dict-biz', 'dictbiz')
export const dict = dictionaryRoutes('/blade-system/dict', 'dict')
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
