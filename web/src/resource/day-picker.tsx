import { DatePicker } from 'antd'
import dayjs from 'dayjs'
import { mendPanel } from './mend-panel.ts'

interface Props {
  readonly label: string
  /** `yyyy-MM-dd` or empty. */
  readonly value: string
  readonly onPick: (day: string) => void
  readonly onClose: () => void
}

/** The calendar of a `DayInput`, in the language of the product; open from its first moment. */
export const DayPicker = ({ label, value, onPick, onClose }: Props) => (
  <DatePicker
    className="day-picker"
    aria-label={label}
    open
    autoFocus
    allowClear={false}
    format="YYYY-MM-DD"
    panelRender={panel => <div ref={mendPanel}>{panel}</div>}
    value={value === '' ? null : dayjs(value)}
    onChange={next => {
      if (next !== null && next !== undefined) onPick(next.format('YYYY-MM-DD'))
      onClose()
    }}
    onOpenChange={open => {
      if (!open) onClose()
    }}
  />
)
