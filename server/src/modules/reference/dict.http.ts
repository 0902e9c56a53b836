import { refuse, refuseField } from '#contract/kernel/errors.ts'
import { idsOf } from '#contract/kernel/ids.ts'
import { inSentence, type Label } from '#contract/kernel/label.ts'
import { sliceOf, toPage } from '#contract/kernel/page.ts'
import type { Refusal } from '#contract/kernel/refusal.ts'
import type { InputOf } from '#contract/kernel/route.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { refuseDict } from '#contract/reference/dict.errors.ts'
import { type DictRoutes, type DictRow, dict, dictBiz } from '#contract/reference/dict.routes.ts'
import { duplicateValue } from '#kernel/crud/duplicate.ts'
import { fileName, watermarkOf } from '#kernel/crud/export.ts'
import { systemOf } from '#kernel/db/scope.ts'
import { type Ctx, type ExportPlan, type Handler, handle, handleExport, Refused } from '#kernel/http/context.ts'
import { platformAudit } from '#kernel/platform-audit.ts'
import type { Services } from '#server/services.ts'
import {
  countDict,
  type DictDb,
  type DictFilter,
  type DictTable,
  type DictValues,
  findDict,
  groupKey,
  insertDict,
  isTaken,
  listDict,
  listEntriesOf,
  lockDict,
  removeDict,
  updateDict,
} from './data/dict.repo.ts'
import { usesOfEntry } from './data/dict-use.repo.ts'
import { readDictLines } from './domain/dict-lines.ts'
import { dictSheetLabels } from './domain/dict-sheet.ts'

type Submit = InputOf<DictRoutes['submit']>
/** Where a row of the dictionary is used. */
type UsesOf = (ctx: Ctx, row: DictRow) => Promise<readonly Label[]>
type Run = <T>(ctx: Ctx, work: (db: DictDb) => Promise<T>) => Promise<T>

const texts = {
  key: { zh: '请输入字典键值', en: 'Please enter the key' },
  negativeKey: { zh: '字典键值不能为负数', en: 'The key cannot be negative' },
  parent: { zh: '上级字典不存在', en: 'There is no such parent' },
  builtInCode: { zh: '程序按这个编号使用字典，不能修改', en: 'The program knows the dictionary by this code, so it stays' },
  builtInKey: {
    zh: '程序和已有数据按这个键值识别，不能修改',
    en: 'The program and data that is there know the entry by this key, so it stays',
  },
  moved: { zh: '字典项不能移到别的字典', en: 'An entry cannot be moved to another dictionary' },
} satisfies Readonly<Record<string, Label>>

/** The row to be written; an entry takes its group's code, a group the key of groups. */
const valuesOf = async (db: DictDb, table: DictTable, input: Submit, before: DictRow | undefined): Promise<DictValues> => {
  const parentId = input.parentId || before?.parentId || '0'
  if (before && before.parentId !== parentId) throw new Refused(refuseField('parentId', texts.moved))
  const parent = parentId === '0' ? undefined : await findDict(db, table, parentId)
  if (parentId !== '0' && parent?.parentId !== '0') throw new Refused(refuseField('parentId', texts.parent))
  const dictKey = parent ? (input.dictKey ?? before?.dictKey ?? '') : groupKey
  if (dictKey === '' || (parent && dictKey === groupKey)) throw new Refused(refuseField('dictKey', texts.key))
  // Clients of the framework read keys as numbers and take the entries from 0 on for those that can be chosen.
  if (parent && /^-\d/.test(dictKey)) throw new Refused(refuseField('dictKey', texts.negativeKey))
  return {
    parentId,
    code: parent?.code ?? input.code,
    dictKey,
    dictValue: input.dictValue,
    dictValueEn: input.dictValueEn ?? before?.dictValueEn ?? '',
    sort: input.sort,
    isSealed: input.isSealed ?? before?.isSealed ?? 0,
    remark: input.remark ?? before?.remark ?? '',
  }
}

const exportColumns = Object.entries(dictSheetLabels) as [keyof typeof dictSheetLabels, Label][]
const titles = {
  dict: { zh: '系统字典', en: 'System dictionary' },
  dict_biz: { zh: '业务字典', en: 'Business dictionary' },
} as const satisfies Readonly<Record<DictTable, Label>>

/** The groups that fit, each with all its entries below it; a dictionary is read in one piece everywhere. */
const planExport = async (ctx: Ctx, db: DictDb, table: DictTable, entity: string, filter: DictFilter): Promise<ExportPlan> => {
  const groups = await listDict(db, table, { ...filter, parentId: '0' })
  const all = await listDict(db, table, {})
  const rows = groups.flatMap(group => [group, ...all.filter(row => row.parentId === group.id)])
  const what = ctx.say(titles[table])
  const sealed = (row: DictRow): string => ctx.say(row.isSealed === 1 ? { zh: '是', en: 'yes' } : { zh: '否', en: 'no' })
  return {
    fileName: fileName(what, toWireTime(ctx.arrivedAt).replace(/\D/g, '')),
    total: rows.length,
    audit: { action: `${entity}.exported`, entity, entityId: null, after: { filter, columns: exportColumns.map(([name]) => name) } },
    book: {
      watermark: watermarkOf(ctx, what),
      sheets: [
        {
          name: what,
          columns: exportColumns.map(([, header]) => ({ header: ctx.say(header) })),
          rows: rows.map(row => exportColumns.map(([name]) => (name === 'isSealed' ? sealed(row) : String(row[name])))),
        },
      ],
    },
  }
}

const nameOf = (row: DictRow): Label => ({ zh: row.dictValue, en: row.dictValueEn || row.dictValue })
const isOffered = (row: DictRow): boolean => row.isSealed === 0
const nodeOf = ({ id, parentId, dictValue: title, dictKey, isSealed }: DictRow) => ({
  id,
  parentId,
  title,
  key: id,
  value: id,
  dictKey,
  isSealed,
})
/** The groups that are wanted with their entries below them. */
const treeOf = (rows: readonly DictRow[], isWanted: (group: DictRow) => boolean) =>
  rows
    .filter(row => row.parentId === '0' && isWanted(row))
    .map(group => {
      const children = rows.filter(row => row.parentId === group.id).map(nodeOf)
      return children.length === 0 ? nodeOf(group) : { ...nodeOf(group), children, hasChildren: true }
    })

/** The calls of one dictionary. The platform's own is read by everybody with the right and written in the platform's tenant only. */
const handlersOf = (routes: DictRoutes, table: DictTable, run: Run, usesOf: UsesOf): Handler[] => {
  const entity = table === 'dict' ? 'dict' : 'dictbiz'
  const userOf = (ctx: Ctx): string => ctx.session?.userId ?? '0'
  /** In the transaction of the change; a scope of the platform has no tenant of its own, the one who acts has. */
  const record = (ctx: Ctx, db: DictDb, action: string, id: string, change: { before?: unknown; after?: unknown }): Promise<void> => {
    const entry = { action: `${entity}.${action}`, entity, entityId: id, ...change }
    return platformAudit(ctx, db, entry, entity === 'dict' ? 'all' : undefined)
  }
  const refuseUsed = async (ctx: Ctx, reason: 'dict/in-use' | 'dict/key-in-use', row: DictRow): Promise<void> => {
    const uses = await usesOf(ctx, row)
    const where = { zh: uses.map(use => use.zh).join('、'), en: uses.map(use => inSentence(use.en)).join(', ') }
    if (uses.length > 0) throw new Refused(refuseDict(reason, { name: nameOf(row), where }))
  }
  const submit = async (ctx: Ctx, input: Submit): Promise<{ id: string } | Refusal> => {
    const id = input.id || undefined
    const needed = `${entity}_${id === undefined ? 'add' : 'edit'}`
    if (!ctx.session?.permissions.has(needed)) return refuse('kernel/forbidden', {})
    return run(ctx, async db => {
      const [locked] = id === undefined ? [] : await lockDict(db, table, [id])
      const { isBuiltIn = false, ...row } = locked ?? {}
      const before = locked && (row as DictRow)
      if (id !== undefined && !before) throw new Refused(refuse('kernel/not-found', {}))
      if (before && input.version !== undefined && input.version !== before.version)
        throw new Refused(refuse('kernel/changed-meanwhile', {}))
      const values = await valuesOf(db, table, input, before)
      if (before && isBuiltIn && values.code !== before.code) throw new Refused(refuseField('code', texts.builtInCode))
      if (before && isBuiltIn && values.dictKey !== before.dictKey) throw new Refused(refuseField('dictKey', texts.builtInKey))
      if (before && (values.code !== before.code || values.dictKey !== before.dictKey)) await refuseUsed(ctx, 'dict/key-in-use', before)
      if (await isTaken(db, table, values.code, values.dictKey, id))
        throw new Refused(
          values.dictKey === groupKey
            ? duplicateValue('code', { zh: '字典编号', en: 'The code' }, values.code)
            : duplicateValue('dictKey', { zh: '字典键值', en: 'The key' }, values.dictKey),
        )
      if (id !== undefined) await updateDict(db, table, userOf(ctx), id, values)
      const savedId = id ?? (await insertDict(db, table, userOf(ctx), values))
      await record(ctx, db, before ? 'updated' : 'added', savedId, { ...(before ? { before } : {}), after: values })
      return { id: savedId }
    })
  }

  /** Pasted entries stand behind those that are there, in the order of their lines. */
  const addEntries = (ctx: Ctx, input: InputOf<DictRoutes['addEntries']>): Promise<{ added: number }> =>
    run(ctx, async db => {
      const [group] = await lockDict(db, table, [input.parentId])
      if (group?.parentId !== '0') throw new Refused(refuse('kernel/not-found', {}))
      const there = await listDict(db, table, { parentId: group.id })
      const read = readDictLines(input.lines, new Set(there.map(entry => entry.dictKey)))
      if ('problem' in read) throw new Refused(refuseField('lines', read.problem))
      const last = Math.max(0, ...there.map(entry => entry.sort))
      for (const [index, line] of read.lines.entries()) {
        const sort = Math.min(last + index + 1, 9_999)
        const values: DictValues = { ...line, parentId: group.id, code: group.code, sort, isSealed: 0, remark: '' }
        await record(ctx, db, 'added', await insertDict(db, table, userOf(ctx), values), { after: values })
      }
      return { added: read.lines.length }
    })

  const remove = async (ctx: Ctx, raw: string | undefined): Promise<{ removed: number } | Refusal> => {
    const wanted = idsOf(raw)
    if (wanted.length === 0) return refuse('kernel/select-one', {})
    return run(ctx, async db => {
      const found = await lockDict(db, table, wanted)
      if (found.length !== wanted.length) throw new Refused(refuse('kernel/not-found', {}))
      const builtIn = found.find(row => row.isBuiltIn)
      if (builtIn) throw new Refused(refuseDict('dict/built-in', { name: nameOf(builtIn) }))
      const left = (await listEntriesOf(db, table, wanted)).find(entry => !wanted.includes(entry.id))
      const group = found.find(row => row.id === left?.parentId)
      if (group)
        throw new Refused(refuse('kernel/in-use', { what: { zh: `${group.dictValue} 还有字典项`, en: `${group.code} has entries` } }))
      for (const row of found) await refuseUsed(ctx, 'dict/in-use', row)
      await removeDict(db, table, userOf(ctx), wanted)
      for (const { isBuiltIn: _, ...before } of found) await record(ctx, db, 'removed', before.id, { before })
      return { removed: found.length }
    })
  }

  return [
    handle(routes.list, ({ ctx, input }) =>
      run(ctx, async db => {
        const groups = await listDict(db, table, { ...input, parentId: '0' })
        const all = await listDict(db, table, {})
        return groups.map(group => {
          const children = all.filter(row => row.parentId === group.id)
          return children.length === 0 ? group : { ...group, children }
        })
      }),
    ),
    handle(routes.parents, ({ ctx, input }) =>
      run(ctx, async db => {
        const { current, size, offset, ...search } = sliceOf(input)
        const filter = { ...search, parentId: '0' }
        const rows = await listDict(db, table, { ...filter, limit: size, offset })
        return toPage(rows, await countDict(db, table, filter), current, size)
      }),
    ),
    handle(routes.children, ({ ctx, input }) => run(ctx, db => listDict(db, table, input))),
    // Clients of the framework send the word DICT where they mean everything.
    handle(routes.tree, ({ ctx, input }) =>
      run(ctx, async db =>
        treeOf(await listDict(db, table, {}), row => input.code === undefined || input.code === 'DICT' || row.code === input.code),
      ),
    ),
    handle(routes.parentTree, ({ ctx }) => run(ctx, async db => (await listDict(db, table, { parentId: '0' })).map(nodeOf))),
    handle(routes.select, ({ ctx }) => run(ctx, async db => (await listDict(db, table, { parentId: '0' })).filter(isOffered))),
    handle(routes.selectAll, ({ ctx }) => run(ctx, db => listDict(db, table, { parentId: '0' }))),
    handle(routes.dictionaryTree, ({ ctx, input }) =>
      run(ctx, async db => treeOf((await listDict(db, table, {})).filter(isOffered), row => row.code === input.code)),
    ),
    handle(routes.dictionaryFull, ({ ctx, input }) =>
      run(ctx, async db => treeOf(await listDict(db, table, {}), row => row.code === input.code)),
    ),
    handle(routes.detail, ({ ctx, input }) =>
      run(ctx, async db => {
        const row = await findDict(db, table, input.id)
        const parent = row && row.parentId !== '0' ? await findDict(db, table, row.parentId) : undefined
        return row ? { ...row, parentName: parent?.dictValue ?? '' } : refuse('kernel/not-found', {})
      }),
    ),
    handleExport(routes.export, ({ ctx, input }) => run(ctx, db => planExport(ctx, db, table, entity, input))),
    handle(routes.submit, ({ ctx, input }) => submit(ctx, input)),
    handle(routes.addEntries, ({ ctx, input }) => addEntries(ctx, input)),
    handle(routes.remove, ({ ctx, input }) => remove(ctx, input.ids)),
  ]
}

export const dictHandlers = (services: Services): Handler[] => [
  ...handlersOf(
    dictBiz,
    'dict_biz',
    (ctx, work) => ctx.tx(work),
    // Of the whole tenant, however little of it the one who removes reaches.
    (ctx, row) => services.scopes.tx(systemOf(ctx.tenantId), ctx.arrivedAt, db => usesOfEntry(db, row)),
  ),
  ...handlersOf(
    dict,
    'dict',
    (ctx, work) => services.scopes.asPlatform('system dictionaries belong to the platform', ctx.arrivedAt, work),
    // No data holds keys that an administrator of the platform added: its nouns know their words by themselves.
    async () => [],
  ),
]
