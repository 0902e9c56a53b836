import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'

interface PopoverProps {
  /** Name of the panel, and of the button unless its own content names it. */
  readonly label: string
  readonly hasText?: boolean
  readonly className?: string
  /** What stands on the button. */
  readonly children: ReactNode
  readonly content: (close: () => void) => ReactNode
  readonly popup?: 'menu' | 'dialog'
}

const edgePx = 8

/** A button with a small panel under it. The panel lies above everything, so no scrolling parent cuts it. */
export const PopoverButton = ({ label, hasText = false, className, children, content, popup = 'dialog' }: PopoverProps) => {
  const button = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)
  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  useLayoutEffect(() => {
    const box = panel.current
    const at = button.current?.getBoundingClientRect()
    if (!open || box === null || at === undefined) return
    const { width, height } = box.getBoundingClientRect()
    const below = at.bottom + 4 + height <= innerHeight
    box.style.top = `${below ? at.bottom + 4 : Math.max(edgePx, at.top - 4 - height)}px`
    box.style.left = `${Math.max(edgePx, Math.min(at.right - width, innerWidth - width - edgePx))}px`
    box.querySelector<HTMLElement>('[role=menuitem], input, button')?.focus()
  }, [open])
  useEffect(() => {
    if (!open) return
    const outside = (event: Event) => {
      const target = event.target as Node
      if (!panel.current?.contains(target) && !button.current?.contains(target)) setOpen(false)
    }
    const shut = () => setOpen(false)
    addEventListener('pointerdown', outside)
    addEventListener('resize', shut)
    return () => {
      removeEventListener('pointerdown', outside)
      removeEventListener('resize', shut)
    }
  }, [open])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.stopPropagation()
      close()
    } else if (event.key === 'Tab') setOpen(false)
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const items = [...(panel.current?.querySelectorAll<HTMLElement>('[role=menuitem], input') ?? [])]
      const now = items.indexOf(document.activeElement as HTMLElement)
      const step = event.key === 'ArrowDown' ? 1 : -1
      event.preventDefault()
      items[(now + step + items.length) % items.length]?.focus()
    }
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        className={className}
        aria-label={hasText ? undefined : label}
        title={hasText ? undefined : label}
        aria-haspopup={popup}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        {children}
      </button>
      {open
        ? createPortal(
            // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useAriaPropsSupportedByRole: the role is given, by a variable
            <div ref={panel} className="popover" role={popup} aria-label={label} tabIndex={-1} onKeyDown={onKeyDown}>
              {content(close)}
            </div>,
            document.body,
          )
        : null}
    </>
  )
}

export interface MenuChoice {
  readonly key: string
  readonly label: string
  readonly danger?: boolean | undefined
  readonly onChoose: () => void
}

export const MenuButton = ({ items, ...rest }: Omit<PopoverProps, 'content' | 'popup'> & { readonly items: readonly MenuChoice[] }) => (
  <PopoverButton
    {...rest}
    popup="menu"
    content={close =>
      items.map(item => (
        <button
          key={item.key}
          type="button"
          role="menuitem"
          tabIndex={-1}
          data-danger={item.danger}
          onClick={() => {
            close()
            item.onChoose()
          }}
        >
          {item.label}
        </button>
      ))
    }
  />
)
