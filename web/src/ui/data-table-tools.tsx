import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { useT } from '../kernel/i18n/index.ts'
import { onPreference, readPreference, writePreference } from '../kernel/preferences.ts'
import { type Density, keepLook, useTheme } from '../kernel/theme/theme.ts'
import { arrange, type Column, type ColumnChoice, choiceOf, initialChoice, moved, shownColumns, toggled } from './columns.ts'
import { Icon, iconPaths } from './icon.tsx'
import { MenuButton, PopoverButton } from './menu-button.tsx'
import { uiTexts } from './texts.ts'

const densities: readonly Density[] = ['compact', 'default', 'loose']

/** The columns of one table as this person arranged them; the choice is kept. */
export const useColumnChoice = <Row,>(name: string, columns: readonly Column<Row>[]) => {
  const stored = () => choiceOf(readPreference(`columns-${name}`)) ?? initialChoice(columns)
  const [choice, setChoice] = useState<ColumnChoice>(stored)
  const brought = useEffectEvent(() => setChoice(stored()))
  useEffect(() => onPreference(`columns-${name}`, brought), [name])
  const shown = useMemo(() => shownColumns(columns, choice), [columns, choice])
  const change = (next: ColumnChoice | null) => {
    writePreference(`columns-${name}`, next)
    setChoice(next ?? initialChoice(columns))
  }
  return { shown, choice, change }
}

const ColumnChooser = <Row,>({
  columns,
  choice,
  onChange,
}: {
  readonly columns: readonly Column<Row>[]
  readonly choice: ColumnChoice
  readonly onChange: (choice: ColumnChoice | null) => void
}) => {
  const t = useT(uiTexts)
  const all = arrange(columns, choice)
  return (
    <fieldset className="table-columns">
      <legend className="visually-hidden">{t('table.columns')}</legend>
      {all.map((column, index) => (
        <div key={column.key} className="table-column">
          <label className="popover-check">
            <input
              type="checkbox"
              checked={!choice.hidden.includes(column.key)}
              onChange={() => onChange(toggled(columns, choice, column.key))}
            />
            {column.title}
          </label>
          <button
            type="button"
            className="tool-button"
            disabled={index === 0}
            aria-label={t('table.columnUp', { title: column.title })}
            title={t('table.columnUp', { title: column.title })}
            onClick={() => onChange(moved(columns, choice, column.key, -1))}
          >
            <Icon d={iconPaths.up} size={12} />
          </button>
        </div>
      ))}
      <button type="button" className="link-button table-columns-reset" onClick={() => onChange(null)}>
        {t('table.columnsReset')}
      </button>
    </fieldset>
  )
}

/** The right end of the tool bar. */
export const TableTools = <Row,>({
  columns,
  choice,
  onChoice,
  onRefresh,
  onPrint,
  full,
  onFull,
}: {
  readonly columns: readonly Column<Row>[]
  readonly choice: ColumnChoice
  readonly onChoice: (choice: ColumnChoice | null) => void
  readonly onRefresh: (() => void) | undefined
  readonly onPrint: (() => void) | undefined
  readonly full: boolean
  readonly onFull: () => void
}) => {
  const t = useT(uiTexts)
  const density = useTheme(state => state.density)
  return (
    <div className="table-tools-right">
      {onRefresh === undefined ? null : (
        <button type="button" className="tool-button" aria-label={t('action.refresh')} title={t('action.refresh')} onClick={onRefresh}>
          <Icon d={iconPaths.refresh} />
        </button>
      )}
      {onPrint === undefined ? null : (
        <button type="button" className="tool-button" aria-label={t('table.print')} title={t('table.print')} onClick={onPrint}>
          <Icon d={iconPaths.print} />
        </button>
      )}
      <MenuButton
        className="tool-button"
        label={t('table.density')}
        items={densities.map(each => ({
          key: each,
          label: t(`table.density.${each}`),
          checked: density === each,
          onChoose: () => keepLook('density', each),
        }))}
      >
        <Icon d={iconPaths.density} />
      </MenuButton>
      <PopoverButton
        className="tool-button"
        label={t('table.columns')}
        content={() => <ColumnChooser columns={columns} choice={choice} onChange={onChoice} />}
      >
        <Icon d={iconPaths.columns} />
      </PopoverButton>
      <button
        type="button"
        className="tool-button"
        aria-pressed={full}
        aria-label={t(full ? 'table.fullLeave' : 'table.full')}
        title={t(full ? 'table.fullLeave' : 'table.full')}
        onClick={onFull}
      >
        <Icon d={full ? iconPaths.shrink : iconPaths.expand} />
      </button>
    </div>
  )
}
