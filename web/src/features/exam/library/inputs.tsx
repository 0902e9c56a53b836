import { Select } from 'antd'
import { type ComponentType, lazy, type ReactNode, Suspense } from 'react'
import type { Resource } from '#contract/kernel/resource.ts'
import type { TableColumn } from '#contract/signup/content.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { useCall } from '#web/kernel/query.ts'
import type { Row } from '#web/resource/fields.ts'
import type { InputProps } from '#web/resource/input-props.ts'
import type { Cells } from '#web/resource/row-dialog.tsx'
import type { InputSlots } from '#web/resource/schema-form.tsx'
import { clearByKey } from '#web/ui/clear-by-key.ts'
import type { Pixels } from './pixel-input.tsx'
import { libraryTexts } from './texts.ts'
import '../exam.css'

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

/** What no declaration draws: lists and objects, a file, a dictionary by its code. Most come when a dialog with one of them is opened. */
const ownInputs: Readonly<Record<string, ComponentType<InputProps>>> = {
  dictCode: DictCode,
  columns: lazy(async () => ({ default: (await import('./columns-input.tsx')).ColumnsInput })),
  pixel: lazy(async () => ({ default: (await import('./pixel-input.tsx')).PixelInput })),
  visibleWhen: lazy(async () => ({ default: (await import('./when-input.tsx')).WhenInput })),
  sampleFileId: lazy(async () => ({ default: (await import('./sample-input.tsx')).SampleInput })),
}

const ofFields = <T,>({ fields }: Resource, all: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(all).filter(([name]) => Object.hasOwn(fields, name)))

const inputs: InputSlots = Object.fromEntries(
  Object.entries(ownInputs).map(([name, Own]) => [
    name,
    (props: InputProps) => (
      <Suspense>
        <Own {...props} />
      </Suspense>
    ),
  ]),
)
export const inputsOf = (resource: Resource): InputSlots => ofFields(resource, inputs)

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
const cells: Readonly<Record<string, (row: Row) => ReactNode>> = {
  columns: row => columnNames(row.columns),
  pixel: row => pixelText(row.pixel),
  sampleFileId: row => <SampleText link={row.sampleLink} />,
  visibleWhen: row => (
    <Suspense>
      <WhenText row={row} />
    </Suspense>
  ),
}
/** The same fields in lists and views. */
export const cellsOf = (resource: Resource): Cells => ofFields(resource, cells)
