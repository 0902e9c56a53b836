import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { preloadPage } from '../console/pages.ts'
import { useLabel, useLang, useT } from '../kernel/i18n/index.ts'
import { Icon, iconPaths } from '../ui/icon.tsx'
import { goTo } from './go.ts'
import { useMenu } from './menu.ts'
import { type MenuMatch, matchMenu, type ReadAt } from './menu-match.ts'
import { usePalette } from './palette.ts'
import { useTabs } from './tabs.ts'
import { shellTexts } from './texts.ts'

let loaded: ReadAt | undefined
/** How characters are read, from when somebody is about to search: a table that no other part of the shell needs. */
const useReadAt = (isWanted: boolean): ReadAt | undefined => {
  const [readAt, setReadAt] = useState(() => loaded)
  useEffect(() => {
    if (!isWanted || readAt !== undefined) return
    void import('#contract/kernel/pinyin.ts').then(
      module => {
        loaded = module.readAt
        setReadAt(() => module.readAt)
      },
      // Without it names and initials are found.
      () => {},
    )
  }, [isWanted, readAt])
  return readAt
}

interface Props {
  readonly autoFocus?: boolean
  /** After a page has been chosen, or when Esc leaves an empty field. */
  readonly onDone?: () => void
}

interface Hit {
  readonly key: string
  readonly text: string
  readonly note: string
  readonly path: string | null
  readonly go: () => void
}

/**
 * A field that finds pages of the menu by their names (S2.40), and examinations, sign-ups, people and things to do by what is known
 * of them; the header and the search panel share it.
 */
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
  const readAt = useReadAt(open)
  const { entries, isBusy } = usePalette(open ? text : '', lang, readAt)

  const leave = () => {
    setText('')
    setOpen(false)
    onDone?.()
  }
  const visit = ({ item }: MenuMatch) => {
    if (item.newWindow) window.open(item.href ?? item.path ?? '/', '_blank', 'noreferrer')
    else goTo(item.path ?? '/')
  }
  // Of those that fit as well what was used last comes first.
  const usedAt = new Map(useTabs(state => state.tabs).map(tab => [tab.path, tab.usedAt]))
  const pages = (open ? matchMenu(items ?? [], text, lang, readAt) : []).toSorted(
    (a, b) => a.rank - b.rank || (usedAt.get(b.item.path ?? '') ?? 0) - (usedAt.get(a.item.path ?? '') ?? 0),
  )
  const matches: readonly Hit[] = [
    ...pages.map(match => ({
      key: match.item.key,
      text: label(match.item.label),
      note: match.group === null ? '' : label(match.group),
      path: match.item.path,
      go: () => visit(match),
    })),
    ...entries.map(entry => ({
      key: `${entry.kind}-${entry.key.replaceAll(' ', '-')}`,
      text: entry.text,
      note: [t(`search.kind.${entry.kind}`), entry.note].filter(Boolean).join(' · '),
      path: null,
      go: () => goTo(entry.href),
    })),
  ]
  const current = matches[Math.min(at, matches.length - 1)]
  const choose = (hit: Hit) => {
    leave()
    hit.go()
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
        aria-activedescendant={current === undefined ? undefined : `${id}-${current.key}`}
        placeholder={t('search.hint')}
        autoComplete="off"
        spellCheck={false}
        maxLength={60}
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
                key={match.key}
                id={`${id}-${match.key}`}
                role="option"
                aria-selected={match === current}
                onPointerDown={event => event.preventDefault()}
                onPointerEnter={() => match.path !== null && preloadPage(match.path)}
                onClick={() => choose(match)}
              >
                <span>{match.text}</span>
                {match.note === '' ? null : <small>{match.note}</small>}
              </div>
            ))}
          </div>
          <p role="status" className={matches.length === 0 && !isBusy ? 'menu-none' : 'visually-hidden'}>
            {isBusy ? t('search.busy') : matches.length === 0 ? t('search.none') : t('search.count', { count: matches.length })}
          </p>
        </div>
      ) : null}
    </div>
  )
}
