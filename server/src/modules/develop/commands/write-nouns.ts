import { code } from '#contract/develop/code.resource.ts'
import { refuseDevelop } from '#contract/develop/develop.errors.ts'
import { refuseField } from '#contract/kernel/errors.ts'
import { isRefusal, type Refusal } from '#contract/kernel/refusal.ts'
import type { CrudSeams } from '#kernel/crud/crud.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { Refused } from '#kernel/http/context.ts'
import { ownCatalogue } from '../data/catalogue.repo.ts'
import { findMenuCode } from '../data/code.repo.ts'
import { findModel, findModelOf, findUser, insertModel, isModelCode, listFields, type ModelRow } from '../data/model.repo.ts'
import type { DevelopDeps } from '../deps.ts'
import { constantOf, nounOf } from '../generator/names.ts'
import { knownRoles, nounsOf, strangeRole, takenNoun, usualContext } from './generate.ts'

export const modelSeams: CrudSeams = {
  refuseRemove: async ({ db, rows }) => {
    const user = await findUser(
      db,
      rows.map(({ id }) => String(id)),
    )
    return user && refuseDevelop('develop/model-in-use', user)
  },
}

/** Clients of the framework name a table where this program has a model of it: it is found, or made of the table as it stands. */
const modelOfTable = async (
  db: Parameters<NonNullable<CrudSeams['complete']>>[0]['db'],
  datasourceId: string,
  table: string,
  name: string,
) => {
  const known = await findModelOf(db, datasourceId, table)
  if (known !== undefined) return known.id
  const noun = nounOf(table)
  if (noun === undefined) throw new Refused(refuseDevelop('develop/no-noun-name', { model: table }))
  let modelCode = noun
  for (let no = 2; await isModelCode(db, modelCode); no++) modelCode = `${noun}-${no}`
  const constant = constantOf(noun)
  const modelClass = constant.charAt(0).toUpperCase() + constant.slice(1)
  return (await insertModel(db, { datasourceId, modelTable: table, modelName: name || table, modelCode, modelClass })).id
}

/** The columns of a model as far as they are known without its data source. */
const columnsOf = async (db: TenantDb, { id, datasourceId, modelTable }: ModelRow): Promise<readonly string[] | undefined> => {
  const saved = await listFields(db, id)
  if (saved.length > 0) return saved.map(({ jdbcName }) => jdbcName)
  return datasourceId === '' ? (await ownCatalogue(db).columns(modelTable)).map(({ name }) => name) : undefined
}
/** The same text at its field. */
const atField = (field: string, refusal: Refusal): Refusal => refuseField(field, refusal.text)

export const codeSeams = (deps: DevelopDeps): CrudSeams => ({
  complete: async ({ db, input }) => {
    const { datasourceId, tableName, tablePrefix: _1, pkName: _2, packageName: _3, apiPath: _4, webPath: _5, ...rest } = input
    const { baseMode: _6, wrapMode: _7, feignMode: _8, codeStyle: _9, author: _10, ...own } = rest
    if (own['modelId'] || typeof tableName !== 'string' || tableName === '') return own
    const modelId = await modelOfTable(db, typeof datasourceId === 'string' ? datasourceId : '', tableName, String(own['codeName'] ?? ''))
    // Their services are folders of another program.
    const serviceName = deps.tree.contexts.includes(String(own['serviceName'])) ? own['serviceName'] : usualContext
    return { ...own, modelId, serviceName, templateType: own['templateType'] || 'crud' }
  },
  prepare: async ({ db, input, before }) => {
    const { tree } = deps
    const now = (name: string): string => String(input[name] ?? (Object.hasOwn(input, name) ? '' : (before?.[name] ?? '')))
    if (!tree.contexts.includes(now('serviceName')))
      return atField(
        'serviceName',
        refuseDevelop('develop/unknown-context', { context: now('serviceName'), known: tree.contexts.join(', ') }),
      )
    if (now('templateType') === 'sub') {
      if (now('subModelId') === '') return refuseField('subModelId', { zh: '请选择子表模型', en: 'Please select the model of the child' })
      if (now('subFkId') === '')
        return refuseField('subFkId', { zh: '请选择子表外键字段', en: 'Please select the column that points here' })
    }
    if (now('templateType') === 'tree') {
      if (now('treePid') === '')
        return refuseField('treePid', { zh: '请选择树父级字段', en: 'Please select the parent column of the tree' })
      if (now('treeName') === '')
        return refuseField('treeName', { zh: '请选择树名称字段', en: 'Please select the name column of the tree' })
    }
    const role = strangeRole(now('roles'))
    if (role !== undefined) return atField('roles', refuseDevelop('develop/unknown-role', { role, known: knownRoles }))
    const menu = now('menuId') === '' ? undefined : await findMenuCode(db, now('menuId'))
    if (now('menuId') !== '' && !tree.folders.includes(menu ?? '')) return atField('menuId', refuseDevelop('develop/unknown-menu', {}))
    const main = await findModel(db, now('modelId'))
    const child = now('templateType') === 'sub' ? await findModel(db, now('subModelId')) : undefined
    // A reference to nothing is refused by the noun itself.
    if (main === undefined) return input
    const isNamed =
      before === undefined || ['nounName', 'modelId', 'subModelId', 'templateType'].some(name => now(name) !== String(before[name] ?? ''))
    const nouns = nounsOf(now('nounName'), main, child)
    if (isRefusal(nouns)) return atField('nounName', nouns)
    const taken = isNamed ? await takenNoun(deps, db, nouns) : undefined
    if (taken !== undefined)
      return atField(taken === nouns[0] ? 'nounName' : 'subModelId', refuseDevelop('develop/noun-taken', { noun: taken }))
    const wanted: readonly (readonly ['subFkId' | 'treePid' | 'treeName', ModelRow])[] =
      child === undefined
        ? now('templateType') === 'tree'
          ? [
              ['treePid', main],
              ['treeName', main],
            ]
          : []
        : [['subFkId', child]]
    for (const [name, model] of wanted) {
      const columns = await columnsOf(db, model)
      if (columns !== undefined && !columns.includes(now(name)))
        return atField(
          name,
          refuseDevelop('develop/column-missing', { field: code.fields[name].label, model: model.modelName, column: now(name) }),
        )
    }
    return input
  },
})
