import { type ReactNode, useEffect, useRef } from 'react'

/** What stands over the page until it is closed; the browser keeps the focus inside. */
export const Sheet = ({
  title,
  onClose,
  children,
}: {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
}) => {
  const box = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    box.current?.showModal()
  }, [])
  return (
    <dialog ref={box} className="d-sheet" aria-label={title} onClose={onClose}>
      <h2>{title}</h2>
      {children}
    </dialog>
  )
}
