import { type CSSProperties, type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useT } from '../kernel/i18n/index.ts'
import { onPreference, readPreference, writePreference } from '../kernel/preferences.ts'
import { uiTexts } from './texts.ts'
import './master-detail.css'

interface Props {
  /** Under which the place of the divider is kept. */
  readonly name: string
  /** `horizontal`: side by side; `vertical`: one above the other. Narrow screens always stack. */
  readonly direction: 'horizontal' | 'vertical'
  readonly master: ReactNode
  readonly detail: ReactNode
}

const least = 25
const most = 75
const step = 5
const clamp = (percent: number): number => Math.min(most, Math.max(least, Math.round(percent)))

const storedShare = (key: string): number => {
  const stored = readPreference(key)
  return typeof stored === 'number' ? clamp(stored) : 45
}

/** Two lists of which the second belongs to the chosen row of the first, with a divider that mouse and arrow keys move. */
export const MasterDetail = ({ name, direction, master, detail }: Props) => {
  const t = useT(uiTexts)
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const key = `split-${name}-${direction}`
  const [share, setShare] = useState(() => storedShare(key))
  useEffect(() => onPreference(key, () => setShare(storedShare(key))), [key])
  const lying = direction === 'horizontal'
  const put = (percent: number) => {
    setShare(clamp(percent))
    writePreference(key, clamp(percent))
  }
  const onMove = (event: PointerEvent) => {
    const at = box.current?.getBoundingClientRect()
    if (!event.currentTarget.hasPointerCapture(event.pointerId) || at === undefined) return
    put((100 * (lying ? event.clientX - at.left : event.clientY - at.top)) / (lying ? at.width : at.height))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const less = lying ? 'ArrowLeft' : 'ArrowUp'
    const more = lying ? 'ArrowRight' : 'ArrowDown'
    const next = { [less]: share - step, [more]: share + step, Home: least, End: most }[event.key]
    if (next === undefined) return
    event.preventDefault()
    put(next)
  }
  return (
    <div
      ref={box}
      className="master-detail"
      data-direction={direction}
      style={{ '--share': `${share}fr`, '--rest': `${100 - share}fr` } as CSSProperties}
    >
      <div id={id} className="master-detail-part" style={{ '--part': share } as CSSProperties}>
        {master}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: hr cannot be moved */}
      <div
        role="separator"
        className="divider"
        tabIndex={0}
        aria-label={t('split.label')}
        aria-controls={id}
        aria-orientation={lying ? 'vertical' : 'horizontal'}
        aria-valuenow={share}
        aria-valuemin={least}
        aria-valuemax={most}
        onKeyDown={onKeyDown}
        onDoubleClick={() => put(45)}
        onPointerDown={event => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={onMove}
      />
      <div className="master-detail-part" style={{ '--part': 100 - share } as CSSProperties}>
        {detail}
      </div>
    </div>
  )
}
