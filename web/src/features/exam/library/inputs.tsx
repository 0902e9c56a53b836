import { Select, Switch } from 'antd'
import { type ComponentType, lazy, Suspense, useMemo } from 'react'
import { type ValueName, valueNames } from '#contract/exam/value-names.ts'
import type { Field } from '#contract/kernel/field.ts'
import type { Resource } from '#contract/kernel/resource.ts'
import type { TableColumn } from '#contract/signup/content.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { useCall } from '#web/kernel/query.ts'
import type { Row } from '#web/resource/fields.ts'
import type { InputProps } from '#web/resource/input-props.ts'
import type { SearchOptions } from '#web/resource/resource-page.tsx'
import type { Cells } from '#web/resource/row-dialog.tsx'
import type { InputSlots } from '#web/resource/schema-form.tsx'
import { clearByKey } from '#web/ui/clear-by-key.ts'
import type { Pixels } from './pixel-input.tsx'
import { libraryTexts } from './texts.ts'
import '../exam.css'

const namesOf = (field: string): readonly ValueName[] | undefined => (valueNames as Readonly<Record<string, readonly ValueName[]>>)[field]

const ZeroOne = ({ value, onChange, id }: InputProps) => {
  const t = useT()
  return (
    <Switch
      {...(id === undefined ? {} : { id })}
      checked={Number(value) === 1}
      onChange={on => onChange?.(on ? 1 : 0)}
      checkedChildren={t('form.yes')}
      unCheckedChildren={t('form.no')}
    />
  )
}
/** A value out of a fixed list; the number or text of the wire stays what it is. */
const OneOf = ({
  value,
  onChange,
  id,
  names,
  numeric,
}: InputProps & { readonly names: readonly ValueName[]; readonly numeric: boolean }) => {
  const label = useLabel()
  return (
    <Select
      {...(id === undefined ? {} : { id })}
      options={names.map(name => ({ value: name.value, label: label(name.label) }))}
      value={value === null || value === undefined || value === '' ? undefined : String(value)}
      onChange={next => onChange?.(numeric ? Number(next) : next)}
    />
  )
}
const DictCode = ({ value, onChange, id }: InputProps) => {
  const codes = useCall('GET /blade-items/items/getAllDictCodeBiz', {})
  return (
    <Select
      {...(id === undefined ? {} : { id })}
      allowClear
      onKeyDown={clearByKey(() => onChange?.(null))}
      loading={codes.isFetching}
      options={(codes.data ?? []).map(entry => ({ value: entry.code, label: `${entry.name} ${entry.code}` }))}
      value={typeof value === 'string' && value !== '' ? value : undefined}
      onChange={next => onChange?.(next ?? null)}
    />
  )
}

const WhenText = lazy(async () => ({ default: (await import('./when-input.tsx')).WhenText }))

/** Of a few dialogs only: they come when one of these is opened. */
const ownInputs: Readonly<Record<string, ComponentType<InputProps>>> = {
  columns: lazy(async () => ({ default: (await import('./columns-input.tsx')).ColumnsInput })),
  pixel: lazy(async () => ({ default: (await import('./pixel-input.tsx')).PixelInput })),
  visibleWhen: lazy(async () => ({ default: (await import('./when-input.tsx')).WhenInput })),
  sampleFileId: lazy(async () => ({ default: (await import('./sample-input.tsx')).SampleInput })),
}

const slotOf = (name: string, field: Field): InputSlots[string] | null => {
  if (field.widget === 'switch' && field.kind === 'int') return props => <ZeroOne {...props} />
  const Own = ownInputs[name]
  if (Own !== undefined)
    return props => (
      <Suspense>
        <Own {...props} />
      </Suspense>
    )
  if (name === 'dictCode') return props => <DictCode {...props} />
  const names = namesOf(name)
  return names === undefined || field.dict !== undefined ? null : props => <OneOf {...props} names={names} numeric={field.kind === 'int'} />
}
/** Controls with words for the fields whose values are bare numbers or keys on the wire. */
export const inputsOf = (resource: Resource): InputSlots =>
  Object.fromEntries(
    Object.entries(resource.fields).flatMap(([name, field]) => {
      const slot = slotOf(name, field)
      return slot === null ? [] : [[name, slot]]
    }),
  )

/** What the conditions for such values are chosen from: nobody knows the number or the key of one. */
export const useSearchOptions = (resource: Resource): SearchOptions => {
  const label = useLabel()
  const t = useT()
  return useMemo(
    () =>
      Object.fromEntries(
        Object.entries(resource.fields).flatMap(([name, field]) => {
          if (field.search === undefined || field.dict !== undefined) return []
          if (field.kind === 'int' && field.widget === 'switch') {
            const choices = (['yes', 'no'] as const).map(one => ({ value: one === 'yes' ? '1' : '0', label: t(`form.${one}`) }))
            return [[name, choices]]
          }
          const names = namesOf(name)
          return names === undefined ? [] : [[name, names.map(one => ({ value: one.value, label: label(one.label) }))]]
        }),
      ),
    [resource, label, t],
  )
}

const ValueText = ({ name, value }: { readonly name: string; readonly value: unknown }) => {
  const label = useLabel()
  const found = namesOf(name)?.find(each => each.value === String(value))
  return <>{found === undefined ? String(value ?? '-') : label(found.label)}</>
}
const YesNo = ({ value }: { readonly value: unknown }) => {
  const t = useT()
  return <>{Number(value) === 1 ? t('form.yes') : t('form.no')}</>
}
const columnNames = (columns: unknown): string =>
  Array.isArray(columns) ? (columns as readonly TableColumn[]).map(column => column.label).join(' | ') : '-'
const pixelText = (value: unknown): string => {
  const pixels = value as Pixels | null | undefined
  if (!pixels) return '-'
  return `${pixels.minW}×${pixels.minH} – ${pixels.maxW}×${pixels.maxH}, ${pixels.ratio.join('–')}`
}
const SampleText = ({ link }: { readonly link: unknown }) => {
  const t = useT(libraryTexts)
  return typeof link === 'string' && link !== '' ? (
    <a href={link} target="_blank" rel="noreferrer">
      {t('sample.open')}
    </a>
  ) : (
    <>-</>
  )
}
/** The same words in lists and views. */
export const cellsOf = (resource: Resource): Cells =>
  Object.fromEntries(
    Object.entries(resource.fields).flatMap(([name, field]) => {
      if (field.kind === 'int' && (field.widget === 'switch' || name === 'builtIn'))
        return [[name, (row: Row) => <YesNo value={row[name]} />]]
      if (name === 'sampleFileId') return [[name, (row: Row) => <SampleText link={row.sampleLink} />]]
      if (name === 'columns') return [[name, (row: Row) => <>{columnNames(row.columns)}</>]]
      if (name === 'visibleWhen')
        return [
          [
            name,
            (row: Row) => (
              <Suspense>
                <WhenText row={row} />
              </Suspense>
            ),
          ],
        ]
      if (name === 'pixel') return [[name, (row: Row) => <>{pixelText(row.pixel)}</>]]
      if (namesOf(name) === undefined || field.dict !== undefined) return []
      return [[name, (row: Row) => <ValueText name={name} value={row[name]} />]]
    }),
  )
