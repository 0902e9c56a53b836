import { Input } from 'antd'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import type { InputProps } from './input-props.ts'
import { typedNumber } from './typed-number.ts'

const numberOf = (value: unknown): number | string | null =>
  typeof value === 'number' ? value : value === null || value === undefined ? null : typedNumber(String(value))
/** Without the last digits that a floating point calculation brings. */
const rounded = (value: number): number => Number(value.toFixed(4))

/**
 * A number as it is typed. What is no number becomes the value as a text, so that the form says what is wrong beside it; the arrow keys step by one.
 * @param factor - of the value to what is on the screen: 100 for fen shown as yuan
 */
export const NumberInput = ({
  value,
  onChange,
  factor = 1,
  ...rest
}: InputProps & { readonly disabled?: boolean; readonly placeholder?: string; readonly suffix?: ReactNode; readonly factor?: number }) => {
  const [typed, setTyped] = useState<{ readonly text: string; readonly value: unknown } | null>(null)
  const number = numberOf(value)
  const shown = typeof number === 'number' ? rounded(number / factor) : number
  const take = (text: string) => {
    const next = typedNumber(text)
    const sent = typeof next === 'number' ? rounded(next * factor) : next
    setTyped({ text, value: sent })
    onChange?.(sent)
  }
  const step = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0
    if (by === 0 || typeof shown === 'string') return
    event.preventDefault()
    take(String(rounded((shown ?? 0) + by)))
  }
  return (
    <Input
      {...rest}
      role="spinbutton"
      aria-valuenow={typeof shown === 'number' ? shown : undefined}
      inputMode="decimal"
      autoComplete="off"
      // "45." is still being typed; what came from elsewhere since is shown instead.
      value={typed !== null && Object.is(typed.value, value) ? typed.text : String(shown ?? '')}
      onChange={event => take(event.target.value)}
      onKeyDown={step}
      onBlur={() => setTyped(null)}
    />
  )
}
