import { type PointerEvent, type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react'
import { useT } from '#web/kernel/i18n/index.ts'
import { FailedState } from '#web/ui/states.tsx'
import { reviewTexts } from '../texts.ts'
import { fitted, movedBy, type Size, type View, zoomAt } from './zoom.ts'

export interface ImageHandle {
  readonly zoom: (factor: number) => void
  readonly fit: () => void
  readonly turn: (by: 1 | -1) => void
}
interface Props {
  readonly link: string
  readonly name: string
  readonly onScale?: (percent: number) => void
  readonly ref?: Ref<ImageHandle>
}

const none: Size = { width: 0, height: 0 }
const keyMovePx = 60

/** A picture that can be zoomed by wheel, pinch and buttons, moved by dragging and arrow keys, and turned. */
export const ImageView = ({ link: newest, name, onScale, ref }: Props) => {
  const t = useT(reviewTexts)
  // A renewed link must not load the picture again; it is taken when the first one fails.
  const [link, setLink] = useState(newest)
  const [failed, setFailed] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const [picture, setPicture] = useState<Size>(none)
  const [room, setRoom] = useState<Size>(none)
  const [own, setOwn] = useState<View | null>(null)
  const [turn, setTurn] = useState(0)
  const [isMoving, setMoving] = useState(false)
  const fingers = useRef(new Map<number, { x: number; y: number }>())
  const view = own ?? fitted(picture, room, turn)

  useEffect(() => {
    const element = box.current
    if (element === null) return
    const watch = new ResizeObserver(() => setRoom({ width: element.clientWidth, height: element.clientHeight }))
    watch.observe(element)
    return () => watch.disconnect()
  }, [])
  const percent = Math.round(view.scale * 100)
  useEffect(() => {
    if (picture.width > 0) onScale?.(percent)
  }, [percent, onScale, picture.width])

  const latest = useRef(view)
  latest.current = view
  const fromMiddle = (clientX: number, clientY: number) => {
    const at = box.current?.getBoundingClientRect()
    return at === undefined ? { x: 0, y: 0 } : { x: clientX - at.left - at.width / 2, y: clientY - at.top - at.height / 2 }
  }
  const zoom = (factor: number, x = 0, y = 0) => setOwn(zoomAt(latest.current, factor, x, y))
  // React's own wheel listener is passive: the page would scroll along.
  useEffect(() => {
    const element = box.current
    if (element === null) return
    const onWheel = (event: WheelEvent) => {
      event.preventDefault()
      const at = element.getBoundingClientRect()
      const factor = Math.exp(-Math.sign(event.deltaY) * Math.min(Math.abs(event.deltaY), 120) * 0.0018)
      setOwn(zoomAt(latest.current, factor, event.clientX - at.left - at.width / 2, event.clientY - at.top - at.height / 2))
    }
    element.addEventListener('wheel', onWheel, { passive: false })
    return () => element.removeEventListener('wheel', onWheel)
  }, [])
  useImperativeHandle(ref, () => ({
    zoom: factor => setOwn(zoomAt(latest.current, factor)),
    fit: () => setOwn(null),
    turn: by => {
      setTurn(before => (before + by + 4) % 4)
      setOwn(null)
    },
  }))

  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    fingers.current.set(event.pointerId, { x: event.clientX, y: event.clientY })
    setMoving(true)
  }
  const onPointerMove = (event: PointerEvent) => {
    const before = fingers.current.get(event.pointerId)
    if (before === undefined) return
    const now = { x: event.clientX, y: event.clientY }
    const other = [...fingers.current].find(([id]) => id !== event.pointerId)?.[1]
    fingers.current.set(event.pointerId, now)
    if (other === undefined) {
      setOwn(movedBy(latest.current, now.x - before.x, now.y - before.y, picture, room))
      return
    }
    const distance = (point: { x: number; y: number }) => Math.hypot(point.x - other.x, point.y - other.y)
    const middle = fromMiddle((now.x + other.x) / 2, (now.y + other.y) / 2)
    if (distance(before) > 0) zoom(distance(now) / distance(before), middle.x, middle.y)
  }
  const onPointerEnd = (event: PointerEvent) => {
    fingers.current.delete(event.pointerId)
    if (fingers.current.size === 0) setMoving(false)
  }
  const moves: Readonly<Record<string, readonly [number, number]>> = {
    ArrowLeft: [keyMovePx, 0],
    ArrowRight: [-keyMovePx, 0],
    ArrowUp: [0, keyMovePx],
    ArrowDown: [0, -keyMovePx],
  }
  if (failed)
    return (
      <FailedState
        text={t('files.failed')}
        onRetry={() => {
          setLink(newest)
          setFailed(false)
        }}
      />
    )
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls
    <div
      ref={box}
      className="image-view"
      role="group"
      aria-label={t('files.canvas', { name })}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it is moved by arrow keys
      tabIndex={0}
      data-moving={isMoving}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerEnd}
      onPointerCancel={onPointerEnd}
      onDoubleClick={() => (own === null ? zoom(2) : setOwn(null))}
      onKeyDown={event => {
        const move = moves[event.key]
        if (move === undefined) return
        event.preventDefault()
        setOwn(movedBy(view, move[0], move[1], picture, room))
      }}
    >
      <img
        src={link}
        alt={name}
        draggable={false}
        style={{
          transform: `translate(-50%, -50%) translate(${view.x}px, ${view.y}px) rotate(${view.turn * 90}deg) scale(${view.scale})`,
          visibility: picture.width > 0 && room.width > 0 ? 'visible' : 'hidden',
        }}
        onLoad={event => setPicture({ width: event.currentTarget.naturalWidth, height: event.currentTarget.naturalHeight })}
        onError={() => {
          if (link === newest) setFailed(true)
          else setLink(newest)
        }}
      />
    </div>
  )
}
