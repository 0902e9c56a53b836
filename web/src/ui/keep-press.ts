/** How far the hand may slip while it presses, in pixels; further is a way to think better of it, as everywhere. */
const slipPx = 12

/**
 * A press counts for the button it began on, also where the page moves under the pointer meanwhile: what has just come, or what is said
 * about the field that was left, pushes a button down, and the browser then gives the click to nobody. Fingers hold what they touch
 * anyway. @returns how to stop it
 */
export const keepPresses = (): (() => void) => {
  const onDown = (down: PointerEvent) => {
    if (down.pointerType !== 'mouse' || down.button !== 0) return
    const button = (down.target as Element).closest('button')
    if (button === null || button.disabled || button.closest('[draggable=true]') !== null) return
    button.setPointerCapture(down.pointerId)
    const listening = new AbortController()
    const { signal } = listening
    const end = () => listening.abort()
    button.addEventListener(
      'pointermove',
      move => {
        if (Math.hypot(move.clientX - down.clientX, move.clientY - down.clientY) <= slipPx) return
        button.releasePointerCapture(down.pointerId)
        end()
      },
      { signal },
    )
    button.addEventListener('lostpointercapture', end, { signal })
  }
  document.addEventListener('pointerdown', onDown)
  return () => document.removeEventListener('pointerdown', onDown)
}
