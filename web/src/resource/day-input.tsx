import { lazy, Suspense, useRef, useState } from 'react'
import { useT } from '../kernel/i18n/index.ts'
import { Icon } from '../ui/icon.tsx'
import { readDay } from './read-day.ts'
import { resourceTexts } from './texts.ts'
import './day-input.css'

const DayPicker = lazy(async () => ({ default: (await import('./day-picker.tsx')).DayPicker }))
const calendarPath = 'M2.5 3.5h11v10h-11zM2.5 6.5h11M5.5 2v3M10.5 2v3'

interface Props {
  readonly label: string
  /** Of a label beside it; without one the label is read out only. */
  readonly id?: string
  /** `yyyy-MM-dd` or empty. */
  readonly value: string
  readonly onChange: (day: string) => void
}

/**
 * A day, typed or chosen from a calendar. The browser's own box writes days in the browser's language, which need not be the product's; the
 * kit's is large, so it comes when somebody opens the calendar.
 */
export const DayInput = ({ label, id, value, onChange }: Props) => {
  const t = useT(resourceTexts)
  const box = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(value)
  const [taken, setTaken] = useState(value)
  const [picking, setPicking] = useState(false)
  // Another value from outside, as by a reset; what is being typed stays.
  if (taken !== value) {
    setTaken(value)
    setTyped(value)
  }
  const take = (text: string) => {
    const day = text.trim() === '' ? '' : readDay(text)
    setTyped(text)
    box.current?.setCustomValidity(day === null ? t('search.day') : '')
    setTaken(day ?? '')
    if ((day ?? '') !== value) onChange(day ?? '')
  }
  const close = () => {
    setPicking(false)
    requestAnimationFrame(() => box.current?.focus())
  }
  const plain = (
    <span className="day-input">
      <input
        ref={box}
        id={id}
        className="input"
        type="text"
        inputMode="numeric"
        autoComplete="off"
        maxLength={11}
        placeholder="YYYY-MM-DD"
        aria-label={id === undefined ? label : undefined}
        value={typed}
        onChange={event => take(event.target.value)}
        onBlur={() => setTyped(typed.trim() === '' ? '' : (readDay(typed) ?? typed))}
      />
      <button
        type="button"
        className="tool-button"
        aria-label={t('search.calendar', { label })}
        title={t('search.calendar', { label })}
        onClick={() => setPicking(true)}
      >
        <Icon d={calendarPath} size={14} />
      </button>
    </span>
  )
  if (!picking) return plain
  return (
    <Suspense fallback={plain}>
      <DayPicker label={label} value={value} onPick={take} onClose={close} />
    </Suspense>
  )
}
