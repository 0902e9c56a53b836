import { type DragEvent, type ReactNode, useState } from 'react'
import { isFoundIn } from '#contract/kernel/search-fold.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { Icon, iconPaths } from '#web/ui/icon.tsx'
import { editTexts } from '../texts-edit.ts'
import { moved } from './draft.ts'

interface Props<T> {
  readonly entries: readonly T[]
  readonly keyOf: (entry: T) => string
  readonly nameOf: (entry: T) => string
  readonly onChange: (entries: readonly T[]) => void
  /** What stands beside the name. */
  readonly line: (entry: T, change: (part: Partial<T>) => void) => ReactNode
  /** Why an entry stays as it is asked for; null where it may go. */
  readonly stays: (entry: T) => string | null
  /** What opens below. */
  readonly more: (entry: T, change: (part: Partial<T>) => void) => ReactNode
}

/** An ordered choice: dragged by the mouse, moved by buttons from the keyboard. */
export const ChosenList = <T,>({ entries, keyOf, nameOf, onChange, line, stays, more }: Props<T>) => {
  const t = useT(editTexts)
  const [dragged, setDragged] = useState<number | null>(null)
  const [over, setOver] = useState<number | null>(null)
  const change = (index: number) => (part: Partial<T>) =>
    onChange(entries.map((entry, at) => (at === index ? { ...entry, ...part } : entry)))
  const drop = (event: DragEvent, to: number) => {
    event.preventDefault()
    if (dragged !== null) onChange(moved(entries, dragged, to))
    setDragged(null)
    setOver(null)
  }
  return (
    <ol className="chosen">
      {entries.map((entry, index) => {
        const name = nameOf(entry)
        const why = stays(entry)
        return (
          <li
            key={keyOf(entry)}
            data-over={over === index && dragged !== index}
            onDragOver={event => {
              event.preventDefault()
              setOver(index)
            }}
            onDrop={event => drop(event, index)}
          >
            <div className="chosen-line">
              <span
                className="chosen-grip"
                title={t('fields.move')}
                aria-hidden="true"
                draggable
                onDragStart={() => setDragged(index)}
                onDragEnd={() => {
                  setDragged(null)
                  setOver(null)
                }}
              >
                ⋮⋮
              </span>
              <span className="chosen-name">{name}</span>
              {line(entry, change(index))}
              <span className="chosen-tools">
                <button
                  type="button"
                  className="tool-button"
                  aria-label={t('fields.up', { name })}
                  disabled={index === 0}
                  onClick={() => onChange(moved(entries, index, index - 1))}
                >
                  <Icon d={iconPaths.up} />
                </button>
                <button
                  type="button"
                  className="tool-button"
                  aria-label={t('fields.down', { name })}
                  disabled={index === entries.length - 1}
                  onClick={() => onChange(moved(entries, index, index + 1))}
                >
                  <Icon d={iconPaths.down} />
                </button>
                <button
                  type="button"
                  className="tool-button"
                  aria-label={t('fields.remove', { name })}
                  disabled={why !== null}
                  title={why ?? undefined}
                  onClick={() => onChange(entries.filter((_, at) => at !== index))}
                >
                  <Icon d={iconPaths.close} />
                </button>
              </span>
            </div>
            {why === null ? null : <p className="exam-help chosen-why">{why}</p>}
            <details>
              <summary aria-label={t('fields.more', { name })}>{t('action.more')}</summary>
              <div className="chosen-more">{more(entry, change(index))}</div>
            </details>
          </li>
        )
      })}
    </ol>
  )
}

/** A library to choose from; what is chosen already is not offered again. */
export const LibraryList = <T,>({
  title,
  searchLabel,
  noneText,
  entries,
  keyOf,
  nameOf,
  detailOf,
  onAdd,
}: {
  readonly title: string
  readonly searchLabel: string
  readonly noneText: string
  readonly entries: readonly T[]
  readonly keyOf: (entry: T) => string
  readonly nameOf: (entry: T) => string
  readonly detailOf: (entry: T) => string
  readonly onAdd: (entry: T) => void
}) => {
  const t = useT(editTexts)
  const [typed, setTyped] = useState('')
  const shown = entries.filter(entry => isFoundIn(`${nameOf(entry)} ${keyOf(entry)}`, typed))
  return (
    <section className="card library" aria-label={title}>
      <h2>{title}</h2>
      <input
        className="input"
        type="search"
        aria-label={searchLabel}
        placeholder={searchLabel}
        value={typed}
        onChange={event => setTyped(event.target.value)}
      />
      <ul>
        {shown.map(entry => (
          <li key={keyOf(entry)}>
            <button type="button" onClick={() => onAdd(entry)}>
              <Icon d={iconPaths.plus} />
              <span>
                <span className="visually-hidden">{t('fields.add')} </span>
                {nameOf(entry)}
              </span>
              <small>{detailOf(entry)}</small>
            </button>
          </li>
        ))}
        {shown.length === 0 ? <li className="library-none">{noneText}</li> : null}
      </ul>
    </section>
  )
}
