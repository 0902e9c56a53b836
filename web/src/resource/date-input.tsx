import { DatePicker } from 'antd'
import dayjs, { type Dayjs, type PluginFunc } from 'dayjs'
import customParseFormat from 'dayjs/plugin/customParseFormat'
import type { FocusEvent } from 'react'
import { endText } from '#contract/kernel/end-text.ts'
import type { InputProps } from './input-props.ts'
import { mendPanel } from './mend-panel.ts'

dayjs.extend(customParseFormat)

/** As the wire has it first; the others are read too, because people leave out seconds and zeros. */
const dayFormats = ['YYYY-MM-DD', 'YYYY-M-D', 'YYYY/M/D', 'YYYYMMDD']
const timeFormats = ['YYYY-MM-DD HH:mm:ss', 'YYYY-MM-DD HH:mm', 'YYYY-M-D H:mm:ss', 'YYYY-M-D H:mm', 'YYYY/M/D H:mm', ...dayFormats]

/** The wire's format with a mark that prints nothing: what is written by it is an end, whose day may have 24 hours. */
const endFormat = 'YYYY-MM-DD HH:mm:ss[]'
/** The kit takes texts for formats alone (a function makes its input read-only), so the library learns one more; reading follows from writing. */
const endsOfDays: PluginFunc = (_options, { prototype }) => {
  const plain = prototype.format
  prototype.format = function format(this: Dayjs, pattern?: string) {
    return pattern === endFormat ? endText(plain.call(this, 'YYYY-MM-DD HH:mm:ss')) : plain.call(this, pattern)
  }
}
dayjs.extend(endsOfDays)
const endFormats = [endFormat, ...timeFormats]

/**
 * Wire texts in and out: `yyyy-MM-dd`, or `yyyy-MM-dd HH:mm:ss` as the people of Asia/Shanghai read it. What was typed and is no date
 * stays in the control and goes out as it is, so that the form can say what is wrong with it (`problemOf`).
 */
export const DateInput = ({
  value,
  onChange,
  withTime,
  isEnd = false,
  disabled,
  ...rest
}: InputProps & { readonly withTime: boolean; readonly isEnd?: boolean; readonly disabled?: boolean }) => {
  const formats = withTime ? timeFormats : dayFormats
  const [wire = ''] = formats
  const read = (text: string): Dayjs | null => {
    // The end of a day is the next one's beginning, which the calendar can show.
    const [, day] = (withTime && /^(\S+)[ T]24:00(?::00)?$/.exec(text)) || []
    if (day !== undefined) return read(day)?.add(1, 'day') ?? null
    for (const format of formats) {
      const parsed = dayjs(text, format, true)
      if (parsed.isValid()) return parsed
    }
    return null
  }
  const current = typeof value === 'string' ? value : ''
  const leave = (event: FocusEvent<HTMLElement>) => {
    if (!(event.target instanceof HTMLInputElement)) return
    const typed = event.target.value.trim()
    const next = typed === '' ? '' : (read(typed)?.format(wire) ?? typed)
    if (next !== current) onChange?.(next === '' ? null : next)
  }
  return (
    <DatePicker
      {...rest}
      {...(disabled === undefined ? {} : { disabled })}
      style={{ width: '100%' }}
      showTime={withTime}
      panelRender={panel => <div ref={mendPanel}>{panel}</div>}
      format={withTime && isEnd ? endFormats : formats}
      // Typing and leaving is enough; nobody has to find the calendar's own button.
      needConfirm={false}
      preserveInvalidOnBlur
      value={current === '' ? null : dayjs(current, wire, true).isValid() ? dayjs(current, wire, true) : null}
      onChange={next => onChange?.(next === null || next === undefined ? null : next.format(wire))}
      onBlur={leave}
    />
  )
}
