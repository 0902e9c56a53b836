import { snakeCase } from '#kernel/names.ts'
import type { ColumnRow } from '../data/catalogue.repo.ts'
import type { ModelField } from '../domain/model-field.ts'
import { type ColumnKind, kindOf } from './column-type.ts'
import { isAuditColumn, labelText, propertyOf } from './names.ts'

export const mostColumns = 300

const componentOf = (kind: ColumnKind): string =>
  kind.kind === 'flag'
    ? 'switch'
    : kind.kind === 'date' || kind.kind === 'instant'
      ? 'date'
      : kind.kind === 'text' && kind.isLong
        ? 'textarea'
        : 'input'

/** Of how many columns a key is; the tenant, which leads every key of this program's own tables, does not count. */
export const keyCount = (fields: readonly Pick<ModelField, 'jdbcName' | 'isKey'>[]): number =>
  fields.filter(({ isKey, jdbcName }) => isKey && !isAuditColumn(jdbcName)).length

/** A key that only counts rows: the new table has its own. */
export const isCounter = ({ isKey, jdbcType, jdbcName }: Pick<ModelField, 'isKey' | 'jdbcType' | 'jdbcName'>, keys: number): boolean => {
  const kind = kindOf(jdbcType)
  return (
    isKey &&
    keys === 1 &&
    (kind.kind === 'int' || (kind.kind === 'decimal' && kind.places === 0) || jdbcType === 'uuid' || jdbcName.toLowerCase() === 'id')
  )
}

/** What a table's columns are before anybody has chosen anything. */
export const freshFields = (columns: readonly ColumnRow[]): readonly ModelField[] => {
  const taken = new Set<string>()
  const keys = keyCount(columns.map(({ name, isKey }) => ({ jdbcName: name, isKey })))
  let hasSearch = false
  return columns.map((column, at): ModelField => {
    const kind = kindOf(column.type)
    const leftOut = column.isGenerated ? 'generated' : kind.kind === 'left-out' ? kind.why : ''
    const facts = {
      id: '',
      jdbcName: column.name,
      jdbcType: column.type.slice(0, 500),
      isKey: column.isKey,
      isUnique: column.isUnique || (column.isKey && keys === 1),
      isForeign: column.isForeign,
      leftOut,
    }
    const isHidden = leftOut !== '' || isAuditColumn(column.name) || isCounter(facts, keys)
    const isQuery = !isHidden && !hasSearch && kind.kind === 'text' && !kind.isLong
    hasSearch ||= isQuery
    return {
      ...facts,
      jdbcComment: labelText(column.comment, 200),
      propertyName: propertyOf(column.name, at + 1, taken),
      isList: !isHidden && !(kind.kind === 'text' && kind.isLong),
      isForm: !isHidden,
      isRow: false,
      isRequired: !isHidden && !column.isNullable && !column.hasDefault,
      isQuery,
      componentType: componentOf(kind),
      dictCode: '',
      queryType: kind.kind === 'text' ? 'like' : kind.kind === 'date' || kind.kind === 'instant' ? 'between' : 'equal',
    }
  })
}

/** The table read anew: what was chosen for a column stays as long as it is there and something is made of it. */
export const mergeFields = (
  saved: readonly ModelField[],
  fresh: readonly ModelField[],
): { readonly fields: readonly ModelField[]; readonly added: number; readonly removed: number; readonly changed: number } => {
  const old = new Map(saved.map(field => [field.jdbcName, field]))
  const isSame = (a: ModelField, b: ModelField): boolean =>
    a.jdbcType === b.jdbcType && a.isKey === b.isKey && a.isUnique === b.isUnique && a.isForeign === b.isForeign && a.leftOut === b.leftOut
  const kept = fresh.map(field => {
    const before = old.get(field.jdbcName)
    if (before === undefined || before.leftOut !== field.leftOut) return field
    const { jdbcType, isKey, isUnique, isForeign } = field
    return { ...before, jdbcType, isKey, isUnique, isForeign }
  })
  // A name that a new column would have may have been given to another.
  const names = new Set(kept.filter(field => old.has(field.jdbcName)).map(field => snakeCase(field.propertyName)))
  const fields = kept.map((field, at) =>
    old.has(field.jdbcName) || !names.has(snakeCase(field.propertyName))
      ? field
      : { ...field, propertyName: propertyOf(field.jdbcName, at + 1, names) },
  )
  return {
    fields,
    added: fresh.filter(field => !old.has(field.jdbcName)).length,
    removed: saved.filter(field => !fresh.some(({ jdbcName }) => jdbcName === field.jdbcName)).length,
    changed: fresh.filter(field => {
      const before = old.get(field.jdbcName)
      return before !== undefined && !isSame(before, field)
    }).length,
  }
}
