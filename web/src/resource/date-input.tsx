import { DatePicker } from 'antd'
import dayjs from 'dayjs'
import type { InputProps } from './field-input.tsx'

/** Wire texts in and out: `yyyy-MM-dd`, or `yyyy-MM-dd HH:mm:ss` as the people of Asia/Shanghai read it. */
export const DateInput = ({
  value,
  onChange,
  withTime,
  disabled,
  ...rest
}: InputProps & { readonly withTime: boolean; readonly disabled?: boolean }) => {
  const format = withTime ? 'YYYY-MM-DD HH:mm:ss' : 'YYYY-MM-DD'
  return (
    <DatePicker
      {...rest}
      {...(disabled === undefined ? {} : { disabled })}
      style={{ width: '100%' }}
      showTime={withTime}
      format={format}
      value={typeof value === 'string' && value !== '' ? dayjs(value) : null}
      onChange={next => onChange?.(next === null || next === undefined ? null : next.format(format))}
    />
  )
}
