import { useAsked } from '#web/ui/dialog.tsx'

/** Whether a key belongs to an input, to a question on the screen, to the browser or to an input method, and not to the page. */
export const isTyping = (event: KeyboardEvent): boolean => event.ctrlKey || event.metaKey || event.altKey || isInInput(event)

/** The same of a key that is pressed together with Ctrl. */
export const isInInput = (event: KeyboardEvent): boolean => {
  if (event.isComposing || event.defaultPrevented) return true
  if (useAsked.getState().asked !== null) return true
  const target = event.target
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.closest('input, textarea, select, [role=dialog], [role=menu]') !== null)
  )
}
