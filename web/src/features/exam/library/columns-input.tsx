import { Form } from 'antd'
import { valueNames } from '#contract/exam/value-names.ts'
import { cellTypes } from '#contract/signup/cell-types.ts'
import type { TableColumn } from '#contract/signup/content.ts'
import { useLabel, useLang, useT } from '#web/kernel/i18n/index.ts'
import { useCall } from '#web/kernel/query.ts'
import type { InputProps } from '#web/resource/input-props.ts'
import { Icon, iconPaths } from '#web/ui/icon.tsx'
import { moved } from '../edit/draft.ts'
import { libraryTexts } from './texts.ts'

const most = 20
const typeNames = valueNames.fieldType.filter(name => (cellTypes as readonly string[]).includes(name.value))

/** Answers are kept by the key of their column: it is made once and never shown. */
const freeKey = (columns: readonly TableColumn[]): string => {
  for (let at = columns.length + 1; ; at += 1) {
    const key = `c${at}`
    if (columns.every(column => column.key !== key)) return key
  }
}

const Column = ({
  column,
  no,
  onChange,
}: {
  readonly column: TableColumn
  readonly no: number
  readonly onChange: (part: Partial<TableColumn>) => void
}) => {
  const t = useT(libraryTexts)
  const label = useLabel()
  const lang = useLang()
  const dictionaries = useCall('GET /blade-items/items/getAllDictCodeBiz', {}).data ?? []
  const named = (name: string) => `${t('column.no', { no })}: ${name}`
  return (
    <>
      <input
        className="input"
        maxLength={40}
        placeholder={t('column.label')}
        aria-label={named(t('column.label'))}
        value={column.label}
        onChange={event => onChange({ label: event.target.value })}
      />
      <input
        className="input"
        maxLength={80}
        placeholder={t('column.labelEn')}
        aria-label={named(t('column.labelEn'))}
        value={column.labelEn ?? ''}
        onChange={event => onChange({ labelEn: event.target.value })}
      />
      <select
        className="input"
        aria-label={named(t('column.type'))}
        value={column.fieldType}
        onChange={event => onChange({ fieldType: event.target.value as TableColumn['fieldType'], dictCode: null, maxLen: null })}
      >
        {typeNames.map(name => (
          <option key={name.value} value={name.value}>
            {label(name.label)}
          </option>
        ))}
      </select>
      {column.fieldType === 'select' ? (
        <select
          className="input"
          aria-label={named(t('column.dict'))}
          value={column.dictCode ?? ''}
          onChange={event => onChange({ dictCode: event.target.value || null })}
        >
          <option value="">{t('column.dict')}</option>
          {dictionaries.map(entry => (
            <option key={entry.code} value={entry.code} lang={lang}>
              {entry.name}
            </option>
          ))}
        </select>
      ) : column.fieldType === 'text' ? (
        <input
          className="input"
          inputMode="numeric"
          placeholder={t('column.maxLen')}
          aria-label={named(t('column.maxLen'))}
          value={column.maxLen ?? ''}
          onChange={event => onChange({ maxLen: Number(event.target.value.replaceAll(/\D/g, '').slice(0, 4)) || null })}
        />
      ) : (
        <span />
      )}
      <label className="exam-check">
        <input type="checkbox" checked={column.required === true} onChange={event => onChange({ required: event.target.checked })} />
        {t('column.required')}
      </label>
    </>
  )
}

/** The columns of a field of type table; of other types it says that they have none. */
export const ColumnsInput = ({ value, onChange, id }: InputProps) => {
  const t = useT(libraryTexts)
  const form = Form.useFormInstance()
  const type = Form.useWatch('fieldType', form)
  const columns = Array.isArray(value) ? (value as readonly TableColumn[]) : []
  if (type !== 'table')
    return (
      <span id={id} className="exam-help">
        {t('column.tableOnly')}
      </span>
    )
  const set = (next: readonly TableColumn[]) => {
    // What the server said of the former columns is no longer true of these.
    form.setFields([{ name: 'columns', errors: [] }])
    onChange?.(next.length === 0 ? null : next)
  }
  return (
    <div id={id} className="column-rows">
      <ol>
        {columns.map((column, at) => (
          <li key={column.key}>
            <Column
              column={column}
              no={at + 1}
              onChange={part => set(columns.map(each => (each === column ? { ...column, ...part } : each)))}
            />
            <span className="column-tools">
              <button
                type="button"
                className="tool-button"
                aria-label={t('column.up', { no: at + 1 })}
                disabled={at === 0}
                onClick={() => set(moved(columns, at, at - 1))}
              >
                <Icon d={iconPaths.up} />
              </button>
              <button
                type="button"
                className="tool-button"
                aria-label={t('column.remove', { no: at + 1 })}
                onClick={() => set(columns.filter(each => each !== column))}
              >
                <Icon d={iconPaths.close} />
              </button>
            </span>
          </li>
        ))}
      </ol>
      {columns.length < most ? (
        <button
          type="button"
          className="button"
          onClick={() => set([...columns, { key: freeKey(columns), label: '', fieldType: 'text', required: false }])}
        >
          {t('column.add')}
        </button>
      ) : null}
    </div>
  )
}
