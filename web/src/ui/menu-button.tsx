import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'

type Popup = 'menu' | 'dialog'

const edgePx = 8

/** A small panel under a button. It lies above everything, so no scrolling parent cuts it; Escape and Tab close it. */
export const FloatingPanel = ({
  anchor,
  label,
  popup,
  align = 'right',
  className = '',
  onClose,
  children,
}: {
  readonly anchor: HTMLElement
  readonly label: string
  readonly popup: Popup
  /** The edge it shares with its anchor, where there is room. */
  readonly align?: 'left' | 'right'
  readonly className?: string | undefined
  /** `back`: the keyboard goes to the button again. */
  readonly onClose: (back: boolean) => void
  readonly children: ReactNode
}) => {
  const panel = useRef<HTMLDivElement>(null)
  const close = useRef(onClose)
  useEffect(() => {
    close.current = onClose
  })
  useLayoutEffect(() => {
    const box = panel.current
    if (box === null) return
    const at = anchor.getBoundingClientRect()
    const { width, height } = box.getBoundingClientRect()
    const below = at.bottom + 4 + height <= innerHeight
    box.style.top = `${below ? at.bottom + 4 : Math.max(edgePx, at.top - 4 - height)}px`
    box.style.left = `${Math.max(edgePx, Math.min(align === 'left' ? at.left : at.right - width, innerWidth - width - edgePx))}px`
    const first = box.querySelector<HTMLElement>('[aria-checked=true]') ?? box.querySelector<HTMLElement>('input, button')
    first?.focus()
  }, [anchor, align])
  useEffect(() => {
    const outside = (event: Event) => {
      const target = event.target as Node
      if (!panel.current?.contains(target) && !anchor.contains(target)) close.current(false)
    }
    const shut = () => close.current(false)
    addEventListener('pointerdown', outside)
    addEventListener('resize', shut)
    return () => {
      removeEventListener('pointerdown', outside)
      removeEventListener('resize', shut)
    }
  }, [anchor])
  const onKeyDown = (event: KeyboardEvent) => {
    const items = [...(panel.current?.querySelectorAll<HTMLElement>('input, button:not(:disabled)') ?? [])]
    const now = items.indexOf(document.activeElement as HTMLElement)
    const focus = (index: number) => {
      event.preventDefault()
      items[(index + items.length) % items.length]?.focus()
    }
    // React hands events of a portal to its parents: what happens in the panel is not a key for the table behind it.
    event.stopPropagation()
    if (event.key === 'Escape') onClose(true)
    else if (event.key === 'Tab' && popup === 'menu') onClose(true)
    else if (event.key === 'Tab' && (event.shiftKey ? now <= 0 : now === items.length - 1)) {
      event.preventDefault()
      onClose(true)
    } else if (event.key === 'ArrowDown') focus(now + 1)
    else if (event.key === 'ArrowUp') focus(now - 1)
    else if (event.key === 'Home') focus(0)
    else if (event.key === 'End') focus(items.length - 1)
  }
  return createPortal(
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useAriaPropsSupportedByRole: the role is given, by a variable
    <div
      ref={panel}
      className={`popover ${className}`}
      role={popup}
      aria-label={label}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      onClick={event => event.stopPropagation()}
    >
      {children}
    </div>,
    document.body,
  )
}

interface PopoverProps {
  /** Name of the panel, and of the button unless its own content names it. */
  readonly label: string
  readonly hasText?: boolean
  readonly className?: string
  /** Class of the panel. */
  readonly panelClass?: string
  /** What stands on the button. */
  readonly children: ReactNode
  readonly content: (close: () => void) => ReactNode
  readonly popup?: Popup
}

/** A button with a small panel under it. */
export const PopoverButton = ({ label, hasText = false, className, panelClass, children, content, popup = 'dialog' }: PopoverProps) => {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const close = (back: boolean) => {
    if (back) anchor?.focus()
    setAnchor(null)
  }
  return (
    <>
      <button
        type="button"
        className={className}
        aria-label={hasText ? undefined : label}
        title={hasText ? undefined : label}
        aria-haspopup={popup}
        aria-expanded={anchor !== null}
        onClick={event => setAnchor(anchor === null ? event.currentTarget : null)}
      >
        {children}
      </button>
      {anchor === null ? null : (
        <FloatingPanel anchor={anchor} label={label} popup={popup} className={panelClass} onClose={close}>
          {content(() => close(true))}
        </FloatingPanel>
      )}
    </>
  )
}

export interface MenuChoice {
  readonly key: string
  readonly label: string
  readonly danger?: boolean | undefined
  readonly disabled?: boolean | undefined
  /** One of several of which one holds. */
  readonly checked?: boolean
  readonly onChoose: () => void
}

export const MenuItems = ({ items, close }: { readonly items: readonly MenuChoice[]; readonly close: () => void }) =>
  items.map(({ key, label, danger, disabled, checked, onChoose }) => {
    const rest = {
      type: 'button' as const,
      tabIndex: -1,
      'data-danger': danger,
      disabled,
      onClick: () => {
        close()
        onChoose()
      },
    }
    return checked === undefined ? (
      <button key={key} role="menuitem" {...rest}>
        {label}
      </button>
    ) : (
      <button key={key} role="menuitemradio" aria-checked={checked} {...rest}>
        {label}
      </button>
    )
  })

export const MenuButton = ({ items, ...rest }: Omit<PopoverProps, 'content' | 'popup'> & { readonly items: readonly MenuChoice[] }) => (
  <PopoverButton {...rest} popup="menu" content={close => <MenuItems items={items} close={close} />} />
)
