import { Drawer, Modal } from 'antd'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useT } from '../kernel/i18n/index.ts'
import { type Asked, askToLeave } from './dialog.tsx'
import { hasControl } from './has-control.ts'
import { Icon, iconPaths } from './icon.tsx'
import { uiTexts } from './texts.ts'
import { useUnsaved } from './unsaved.ts'

/**
 * `prompt` is S9.17's 20 %, at least 320 px (decision 3.18); one, two and three are columns of fields. `drawer` is for more than
 * twelve fields or tabs.
 */
export type DialogSize = 'prompt' | 'one' | 'two' | 'three' | 'drawer'
const widths: Record<Exclude<DialogSize, 'drawer'>, number | string> = { prompt: 'max(20vw, 320px)', one: 520, two: 760, three: 960 }
const drawerWidth = 'min(860px, 100vw)'

/**
 * The kit's zoom shows a dialog at its full size for some frames, unseen, and then lets it grow from a fifth: what is pressed before and let go
 * after has moved away, and the click is lost. Ours fade in where they stand (ui.css).
 */
const standing = { transitionName: '', maskTransitionName: '' } as const

/**
 * The kit measures a scroll bar and writes a style sheet for the whole page so that it does not scroll behind a window. The console's page
 * never scrolls, only boxes in it do (shell.css): the page would be laid out twice for nothing.
 */
const still = { scrollLock: false } as const

/** The kit's own cross says “Close” in every language. */
const useCross = () => {
  const t = useT()
  return { 'aria-label': t('action.close'), closeIcon: <Icon d={iconPaths.close} size={14} /> }
}

interface Props {
  readonly title: string
  readonly size?: DialogSize
  readonly onClose: () => void
  readonly children: ReactNode
  /** Buttons; always in view. `close` asks about unsaved changes first. */
  readonly footer?: (close: () => void) => ReactNode
  /** Asked on each way out: unsaved input is not thrown away without a question. */
  readonly hasChanges?: () => boolean
  /** What is to be typed into is not there yet; when it is, the keyboard goes to it. */
  readonly isWaiting?: boolean
}

/** Where the keyboard was before the last window opened, and before those around it. */
let places: readonly (Element | null)[] = []

/**
 * The keyboard goes back to where it was when the dialog is gone. When that place is gone too, as the skeleton of a form that the form
 * has replaced, it goes to where it was before that, and at last to the page.
 */
const useFocusReturn = () => {
  const [before] = useState(() => {
    const at = document.activeElement
    const isInWindow = at !== null && at.closest('.ant-modal-wrap, .ant-drawer') !== null
    places = isInWindow ? [at, ...places] : [at]
    return places
  })
  useEffect(
    () => () => {
      // The kit gives the focus back only to a dialog that it closes itself; ours are taken away.
      queueMicrotask(() => {
        if (document.activeElement !== null && document.activeElement !== document.body) return
        const back = before.find(place => place !== document.body && place?.isConnected) ?? document.getElementById('main')
        if (back instanceof HTMLElement) back.focus({ preventScroll: true })
      })
    },
    [before],
  )
}

/** Whoever opens a form may type at once. */
const focusFirst = (box: HTMLElement | null) =>
  box?.querySelector<HTMLElement>('input:not([type=file], [type=hidden], :disabled), textarea:not(:disabled), select')?.focus()

/** The kit says that a window is open a moment after it shows: who is quick is at a field or a button by then, and stays there. */
const isAtWork = (box: HTMLElement | null): boolean => {
  const at = document.activeElement
  const window = box?.closest('.ant-modal, .ant-drawer')
  return at !== null && window?.contains(at) === true && at.closest('.dialog-content, .ant-modal-footer, .ant-drawer-footer') !== null
}

/** What can only be read is scrolled by keyboard too, where it is longer than the screen. */
const makeScrollable = (box: HTMLElement | null) => {
  if (box !== null && !hasControl(box)) box.tabIndex = 0
}

/** The dialog of the console; full screen on phones, focus returns to where it was. */
export const Dialog = ({ title, size = 'one', onClose, children, footer, hasChanges, isWaiting = false }: Props) => {
  useFocusReturn()
  const cross = useCross()
  const body = useRef<HTMLDivElement>(null)
  const close = async () => {
    // The kit also tells Escape to drawings of a window that were given up before they were shown: what stands in another tab stays.
    if (body.current === null) return
    if (!hasChanges?.() || (await askToLeave())) onClose()
  }
  const [path] = useState(() => location.pathname)
  useUnsaved(path, hasChanges)
  const isOpen = useRef(false)
  const onOpened = (opened: boolean) => {
    isOpen.current = opened
    if (!opened) return
    makeScrollable(body.current)
    if (isAtWork(body.current)) return
    // Not at the cross, where the kit puts the keyboard: whoever is at a control when the form comes has gone there.
    if (isWaiting) body.current?.focus()
    else focusFirst(body.current)
  }
  useEffect(() => {
    if (!isWaiting && isOpen.current && document.activeElement === body.current) focusFirst(body.current)
  }, [isWaiting])
  const content = (
    <div ref={body} className="dialog-content" tabIndex={-1}>
      {children}
    </div>
  )
  const foot = footer?.(() => void close()) ?? null
  if (size === 'drawer')
    return (
      <Drawer
        open
        title={title}
        closable={cross}
        size={drawerWidth}
        footer={foot}
        onClose={() => void close()}
        mask={{ closable: false }}
        rootClassName="dialog-drawer"
        afterOpenChange={onOpened}
        destroyOnHidden
      >
        {content}
      </Drawer>
    )
  return (
    <Modal
      {...standing}
      {...still}
      open
      title={title}
      closable={cross}
      width={widths[size]}
      className={size === 'prompt' ? 'dialog-prompt' : 'dialog-full'}
      footer={foot}
      onCancel={() => void close()}
      mask={{ closable: false }}
      centered={size === 'prompt'}
      afterOpenChange={onOpened}
      destroyOnHidden
    >
      {content}
    </Modal>
  )
}

export const ConfirmModal = ({ asked }: { readonly asked: Asked }) => {
  const t = useT(uiTexts)
  const [answered, setAnswered] = useState(false)
  const first = useRef<HTMLButtonElement>(null)
  const cross = useCross()
  useFocusReturn()
  const answer = (yes: boolean) => {
    if (answered) return
    setAnswered(true)
    asked.answer(yes)
  }
  return (
    <Modal
      {...standing}
      {...still}
      open
      title={asked.title}
      closable={cross}
      width={420}
      className="dialog-prompt"
      centered
      zIndex={1100}
      // Enter answers what does no harm: the way back where something is lost, else what was asked for.
      afterOpenChange={opened => {
        if (opened) first.current?.focus()
      }}
      onCancel={() => answer(false)}
      footer={
        <div className="form-footer">
          <button ref={asked.danger ? first : null} type="button" className="button" onClick={() => answer(false)}>
            {asked.cancel ?? t('action.cancel')}
          </button>
          <button
            ref={asked.danger ? null : first}
            type="button"
            className={`button ${asked.danger ? 'button-danger' : 'button-primary'}`}
            onClick={() => answer(true)}
          >
            {asked.ok ?? t('action.ok')}
          </button>
        </div>
      }
    >
      <div className="confirm-text">{asked.text}</div>
    </Modal>
  )
}
