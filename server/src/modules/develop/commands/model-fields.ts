import { refuseDevelop } from '#contract/develop/develop.errors.ts'
import type { FieldRow, SentRow } from '#contract/develop/develop.routes.ts'
import { refuse } from '#contract/kernel/errors.ts'
import type { Label } from '#contract/kernel/label.ts'
import { isRefusal, type Refusal } from '#contract/kernel/refusal.ts'
import { audit } from '#kernel/audit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused } from '#kernel/http/context.ts'
import { snakeCase } from '#kernel/names.ts'
import { unknownDictionaries } from '../data/code.repo.ts'
import { findModel, listFields, lockModel, type ModelRow, replaceFields } from '../data/model.repo.ts'
import type { DevelopDeps } from '../deps.ts'
import type { ModelField } from '../domain/model-field.ts'
import { kindOf } from '../generator/column-type.ts'
import { mergeFields } from '../generator/fresh-fields.ts'
import { isProperty, labelText } from '../generator/names.ts'
import { readTable } from './read-source.ts'

const javaTypes: Readonly<Record<ReturnType<typeof kindOf>['kind'], string>> = {
  text: 'java.lang.String',
  int: 'java.lang.Integer',
  decimal: 'java.math.BigDecimal',
  flag: 'java.lang.Integer',
  date: 'java.time.LocalDate',
  instant: 'java.util.Date',
  'left-out': 'java.lang.Object',
}
const bit = (value: boolean): number => (value ? 1 : 0)

/** A column as the wire has it. */
export const presentField =
  (modelId: string, newDictionaries: readonly string[] = []) =>
  (field: ModelField): FieldRow => {
    const propertyEntity = javaTypes[kindOf(field.jdbcType).kind]
    return {
      id: field.id,
      modelId,
      jdbcName: field.jdbcName,
      jdbcType: field.jdbcType,
      jdbcComment: field.jdbcComment,
      name: field.jdbcName,
      comment: field.jdbcComment,
      propertyName: field.propertyName,
      propertyType: propertyEntity.slice(propertyEntity.lastIndexOf('.') + 1),
      propertyEntity,
      isList: bit(field.isList),
      isForm: bit(field.isForm),
      isRow: bit(field.isRow),
      isRequired: bit(field.isRequired),
      isQuery: bit(field.isQuery),
      componentType: field.componentType,
      dictCode: field.dictCode,
      isNewDict: bit(newDictionaries.includes(field.dictCode)),
      queryType: field.queryType,
      isKey: bit(field.isKey),
      isUnique: bit(field.isUnique),
      isForeign: bit(field.isForeign),
      leftOut: field.leftOut,
    }
  }

/** What was chosen for a model's columns; of one that nobody has looked at yet, what its table says. */
export const fieldsOf = async (
  deps: DevelopDeps,
  ctx: Ctx,
  { id, datasourceId, modelTable }: ModelRow,
): Promise<readonly ModelField[] | Refusal> => {
  const saved = await ctx.tx(db => listFields(db, id))
  if (saved.length > 0) return saved
  const table = await readTable(deps, ctx, datasourceId, modelTable)
  return isRefusal(table) ? table : table.fields
}

/** Dictionaries that the columns name and that are not there: generated code begins them. */
const newDictionariesOf = (db: TenantDb, fields: readonly ModelField[]): Promise<readonly string[]> => {
  const named = fields.flatMap(({ dictCode, leftOut }) => (dictCode === '' || leftOut !== '' ? [] : [dictCode]))
  return unknownDictionaries(db, [...new Set(named)])
}

export const prototypeOf = async (deps: DevelopDeps, ctx: Ctx, modelId: string): Promise<readonly FieldRow[] | Refusal> => {
  const model = await ctx.tx(db => findModel(db, modelId))
  if (model === undefined) return refuse('kernel/not-found', {})
  const fields = await fieldsOf(deps, ctx, model)
  if (isRefusal(fields)) return fields
  const missing = await ctx.tx(db => newDictionariesOf(db, fields))
  return fields.map(presentField(modelId, missing))
}

export const refreshModel = async (
  deps: DevelopDeps,
  ctx: Ctx,
  id: string,
): Promise<{ added: number; removed: number; changed: number } | Refusal> => {
  const model = await ctx.tx(db => findModel(db, id))
  if (model === undefined) return refuse('kernel/not-found', {})
  const table = await readTable(deps, ctx, model.datasourceId, model.modelTable)
  if (isRefusal(table)) return table
  return ctx.tx(async db => {
    if ((await lockModel(db, id)) === undefined) throw new Refused(refuse('kernel/not-found', {}))
    const { fields, ...counts } = mergeFields(await listFields(db, id), table.fields)
    await replaceFields(db, id, fields)
    await audit(db, ctx, { action: 'data-model.refreshed', entity: 'data-model', entityId: id, after: counts })
    return counts
  })
}

/** A column after what was sent of it; what was not sent stays. */
const withChoice = (field: ModelField, sent: SentRow): ModelField => {
  const isOn = (value: 0 | 1 | undefined, before: boolean): boolean => (value === undefined ? before : value === 1)
  const isThere = field.leftOut === ''
  return {
    ...field,
    jdbcComment: sent.jdbcComment === undefined ? field.jdbcComment : labelText(sent.jdbcComment ?? '', 200),
    propertyName: sent.propertyName || field.propertyName,
    isList: isThere && isOn(sent.isList, field.isList),
    isForm: isThere && isOn(sent.isForm, field.isForm),
    isRow: isOn(sent.isRow, field.isRow),
    isRequired: isThere && isOn(sent.isRequired, field.isRequired),
    isQuery: isThere && isOn(sent.isQuery, field.isQuery),
    componentType: sent.componentType || field.componentType,
    dictCode: sent.dictCode === undefined ? field.dictCode : (sent.dictCode ?? ''),
    queryType: sent.queryType || field.queryType,
  }
}

/** Columns whose property cannot be called so, in words. */
const faultsOf = (fields: readonly ModelField[]): readonly { readonly jdbcName: string; readonly msg: Label }[] => {
  const names = fields.map(({ propertyName }) => snakeCase(propertyName))
  return fields.flatMap(({ jdbcName, propertyName }, at) => {
    if (!isProperty(propertyName)) return [{ jdbcName, msg: sayName(jdbcName, propertyName) }]
    const twin = fields[names.indexOf(names[at] ?? '')]
    return twin === undefined || twin.jdbcName === jdbcName ? [] : [{ jdbcName, msg: sayTwice(jdbcName, propertyName, twin.jdbcName) }]
  })
}
const sayName = (column: string, name: string): Label => ({
  zh: `字段 ${column} 的属性名“${name}”不能使用：须以小写字母开头，由字母和数字组成，且不是 id、class 之类的保留字`,
  en: `The property “${name}” of ${column} cannot be used: it begins with a lower-case letter, has letters and digits only, and is no reserved word as id or class`,
})
const sayTwice = (column: string, name: string, other: string): Label => ({
  zh: `字段 ${column} 的属性名“${name}”与字段 ${other} 的重复`,
  en: `The property “${name}” of ${column} is that of ${other} too`,
})
/** Keeps how the columns of a model are used. Facts of the table are not taken from whoever calls. */
export const saveFields = async (
  deps: DevelopDeps,
  ctx: Ctx,
  wantedId: string | undefined,
  list: readonly SentRow[],
): Promise<{ changed: number; newDictionaries: readonly string[] } | Refusal> => {
  const modelId = wantedId ?? list.find(row => row.modelId !== undefined)?.modelId
  const model = modelId === undefined ? undefined : await ctx.tx(db => findModel(db, modelId))
  if (model === undefined || list.some(row => row.modelId !== undefined && row.modelId !== model.id)) return refuse('kernel/not-found', {})
  const known = await fieldsOf(deps, ctx, model)
  if (isRefusal(known)) return known
  const sent = new Map(list.map(row => [row.jdbcName ?? row.name ?? '', row]))
  const unknown = [...sent.keys()].filter(name => !known.some(({ jdbcName }) => jdbcName === name))
  if (unknown.length > 0)
    return refuseDevelop('develop/unknown-columns', { model: model.modelName, columns: unknown.slice(0, 5).join('、') || '“”' })
  return ctx.tx(async db => {
    if ((await lockModel(db, model.id)) === undefined) throw new Refused(refuse('kernel/not-found', {}))
    const saved = await listFields(db, model.id)
    const before = saved.length > 0 ? saved : known
    const after = before.map(field => {
      const row = sent.get(field.jdbcName)
      return row === undefined ? field : withChoice(field, row)
    })
    const faults = faultsOf(after)
    const [first] = faults
    if (first !== undefined) {
      const places = list.map(row => row.jdbcName ?? row.name ?? '')
      throw new Refused({
        ...refuse(
          'kernel/invalid-input',
          {},
          { data: { fields: faults.map(({ jdbcName, msg }) => ({ field: `list.${places.indexOf(jdbcName)}.propertyName`, msg })) } },
        ),
        text: first.msg,
      })
    }
    const changed = after.filter((field, at) => JSON.stringify(field) !== JSON.stringify(before[at]))
    await replaceFields(db, model.id, after)
    await audit(db, ctx, {
      action: 'data-model.fields-set',
      entity: 'data-model',
      entityId: model.id,
      after: { columns: changed.map(({ jdbcName }) => jdbcName) },
    })
    return { changed: changed.length, newDictionaries: await newDictionariesOf(db, after) }
  })
}
