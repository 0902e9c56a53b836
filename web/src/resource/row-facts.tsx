import type { Resource } from '#contract/kernel/resource.ts'
import { refNameOf } from '#contract/kernel/resource.ts'
import { useLabel } from '../kernel/i18n/index.ts'
import { useFieldLevels } from '../kernel/permission.ts'
import { Facts } from '../ui/facts.tsx'
import { FieldText } from './field-text.tsx'
import { type Row, setValueOf } from './fields.ts'
import type { Cells } from './row-dialog.tsx'

/** The named fields of a row to read; what is empty is left out, and what the reader may not see too. */
export const RowFacts = ({
  resource,
  row,
  names,
  cells = {},
}: {
  readonly resource: Resource
  readonly row: Row
  readonly names: readonly string[]
  readonly cells?: Cells
}) => {
  const label = useLabel()
  const levelOf = useFieldLevels(resource.permission)
  const shown = names.flatMap(name => {
    const field = resource.fields[name]
    const value = row[name]
    return field === undefined || value === null || value === undefined || value === '' || levelOf(name) === 'hidden'
      ? []
      : [{ name, field, value }]
  })
  return (
    <Facts
      items={shown.map(({ name, field, value }) => ({
        key: name,
        label: label(field.label),
        value:
          cells[name]?.(row) ??
          (field.ref === undefined ? (
            <FieldText field={field} value={setValueOf(resource, field, value)} />
          ) : (
            String(row[refNameOf(name)] ?? '')
          )),
      }))}
    />
  )
}
