import { useState } from 'react'
import { isEmptyValue } from '#contract/signup/empty-value.ts'
import { serverNow } from '#web/kernel/clock.ts'
import { useLang, useT } from '#web/kernel/i18n/index.ts'
import { FieldSet, SelectField, TextField } from '../kit/field.tsx'
import { TrashIcon } from '../kit/page-icons.tsx'
import { Sheet } from '../kit/sheet.tsx'
import { Button } from '../kit/ui.tsx'
import type { SignItem } from '../wire.ts'
import { contentProblems, displayValue, formOfDay, type Problem, todayOf } from './model.ts'
import { problemOf } from './store.ts'
import { formTexts } from './texts.ts'

type Row = Readonly<Record<string, unknown>>

const inputType = (fieldType: string): string =>
  fieldType === 'date' || fieldType === 'month' ? fieldType : fieldType === 'phone' ? 'tel' : 'text'

/** Rows such as education or work history: a short list here, each row edited in a sheet of its own. */
export const TableField = ({
  item,
  value,
  problems,
  onChange,
}: {
  readonly item: SignItem
  readonly value: readonly Row[]
  readonly problems: readonly Problem[]
  readonly onChange: (rows: readonly Row[]) => void
}) => {
  const t = useT(formTexts)
  const lang = useLang()
  const [editing, setEditing] = useState<number | null>(null)
  const maxRows = item.maxRows ?? 10
  const row = editing === null ? undefined : value[editing]
  const columns = item.columns ?? []
  /** Once it is known that something is wrong in the row, each cell says what still is. */
  const [asked, setAsked] = useState(false)
  const cells = columns.map(
    (column): SignItem => ({ ...column, itemKey: column.key, itemLabel: column.label, itemLabelEn: column.labelEn }),
  )
  const wrongIn = (of: Row) =>
    contentProblems(cells, of, todayOf(serverNow()), lang).filter(problem => columns.some(column => column.key === problem.key))
  const wrong =
    row !== undefined && (asked || problems.some(problem => problem.key.startsWith(`${item.itemKey}.${editing}.`))) ? wrongIn(row) : []
  const set = (key: string, cell: string) => onChange(value.map((one, at) => (at === editing ? { ...one, [key]: cell } : one)))
  const edit = (at: number | null) => {
    setAsked(false)
    setEditing(at)
  }
  /** A row nobody typed anything in does not stay. */
  const leave = () => {
    if (row !== undefined && Object.values(row).every(isEmptyValue)) onChange(value.filter(one => one !== row))
    edit(null)
  }
  const accept = () => {
    if (row !== undefined && wrongIn(row).length > 0) setAsked(true)
    else edit(null)
  }
  return (
    <FieldSet
      label={item.itemLabel}
      required={item.required}
      showOptional={!item.required}
      help={item.help}
      error={problemOf(problems, item.itemKey) ?? problems.find(problem => problem.key.startsWith(`${item.itemKey}.`))?.message}
    >
      {value.length === 0 && <p className="p-help">{t('form.table.none')}</p>}
      <ul className="p-plain p-stack p-gap-s">
        {value.map((one, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no name of their own
          <li key={at} className="p-file">
            <span style={{ flex: 1, minWidth: 0 }}>
              {columns
                .map(column => displayValue(column, one[column.key]))
                .filter(text => text !== '')
                .join(' · ') || '—'}
            </span>
            <Button look="text" aria-label={t('form.table.edit', { row: at + 1 })} onClick={() => edit(at)}>
              {t('form.table.change')}
            </Button>
            <button
              type="button"
              className="p-icon-btn"
              aria-label={t('form.table.remove', { row: at + 1 })}
              onClick={() => onChange(value.filter((_, index) => index !== at))}
            >
              <TrashIcon />
            </button>
          </li>
        ))}
      </ul>
      {value.length < maxRows ? (
        <Button
          block
          onClick={() => {
            onChange([...value, {}])
            edit(value.length)
          }}
        >
          {t('form.table.add')}
        </Button>
      ) : (
        <p className="p-help">{t('form.table.full', { max: maxRows })}</p>
      )}
      {editing !== null && row !== undefined && (
        <Sheet
          title={t('form.table.row', { label: item.itemLabel, row: editing + 1 })}
          onClose={leave}
          firm
          foot={
            <Button look="primary" onClick={accept}>
              {t('action.ok')}
            </Button>
          }
        >
          {columns.map(column => {
            const cell = row[column.key]
            const text = typeof cell === 'string' ? cell : ''
            const error = problemOf(wrong, column.key)
            return column.options && column.options.length > 0 ? (
              <SelectField
                key={column.key}
                label={column.label}
                required={column.required}
                options={column.options}
                value={text}
                error={error}
                onChange={chosen => set(column.key, chosen)}
              />
            ) : (
              <TextField
                key={column.key}
                label={column.label}
                required={column.required}
                type={inputType(column.fieldType)}
                placeholder={formOfDay[column.fieldType]}
                value={text}
                error={error}
                onChange={event => set(column.key, event.target.value)}
              />
            )
          })}
        </Sheet>
      )}
    </FieldSet>
  )
}
