import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { preloadPage } from '../console/pages.ts'
import { useLabel, useLang, useT } from '../kernel/i18n/index.ts'
import { Icon, iconPaths } from '../ui/icon.tsx'
import { goTo } from './go.ts'
import { useMenu } from './menu.ts'
import { type MenuMatch, matchMenu } from './menu-match.ts'
import { shellTexts } from './texts.ts'

interface Props {
  readonly autoFocus?: boolean
  /** After a page has been chosen, or when Esc leaves an empty field. */
  readonly onDone?: () => void
}

/** A field that finds pages of the menu by the beginning of their names (S2.40); the header and the search panel share it. */
export const MenuFinder = ({ autoFocus = false, onDone }: Props) => {
  const t = useT(shellTexts)
  const label = useLabel()
  const lang = useLang()
  const id = useId()
  const { items } = useMenu()
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const [open, setOpen] = useState(false)
  const matches = open ? matchMenu(items ?? [], text, lang) : []
  const current = matches[Math.min(at, matches.length - 1)]

  const leave = () => {
    setText('')
    setOpen(false)
    onDone?.()
  }
  const choose = ({ item }: MenuMatch) => {
    leave()
    if (item.newWindow) window.open(item.href ?? item.path ?? '/', '_blank', 'noreferrer')
    else goTo(item.path ?? '/')
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter and Esc that end the composition of a Chinese word belong to the input method.
    if (event.nativeEvent.isComposing) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      const step = event.key === 'ArrowDown' ? 1 : -1
      if (matches.length > 0) setAt((Math.min(at, matches.length - 1) + step + matches.length) % matches.length)
    } else if (event.key === 'Enter' && current !== undefined) choose(current)
    else if (event.key === 'Escape') leave()
  }
  const shown = open && text.trim() !== ''
  return (
    <div className="menu-finder">
      <Icon d={iconPaths.search} />
      <input
        ref={input}
        className="input"
        role="combobox"
        aria-label={t('search.label')}
        aria-expanded={shown}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={current === undefined ? undefined : `${id}-${current.item.key}`}
        placeholder={t('search.hint')}
        autoComplete="off"
        spellCheck={false}
        maxLength={40}
        // biome-ignore lint/a11y/noAutofocus: the panel was opened to type here
        autoFocus={autoFocus}
        value={text}
        onChange={event => {
          setText(event.target.value)
          setAt(0)
          setOpen(true)
        }}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
      />
      {shown ? (
        <div className="menu-found">
          <div id={`${id}-list`} role="listbox" aria-label={t('search.label')}>
            {matches.map(match => (
              // biome-ignore lint/a11y/useFocusableInteractive lint/a11y/useKeyWithClickEvents: as above
              <div
                key={match.item.key}
                id={`${id}-${match.item.key}`}
                role="option"
                aria-selected={match === current}
                onPointerDown={event => event.preventDefault()}
                onPointerEnter={() => match.item.path !== null && preloadPage(match.item.path)}
                onClick={() => choose(match)}
              >
                <span>{label(match.item.label)}</span>
                {match.group === null ? null : <small>{label(match.group)}</small>}
              </div>
            ))}
          </div>
          <p role="status" className={matches.length === 0 ? 'menu-none' : 'visually-hidden'}>
            {matches.length === 0 ? t('search.none') : t('search.count', { count: matches.length })}
          </p>
        </div>
      ) : null}
    </div>
  )
}
