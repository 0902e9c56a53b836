import { formatInstant, parseInstant } from '#contract/exam/window.ts'
import { serverNow } from '#web/kernel/clock.ts'
import { endMinuteOf, minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { editTexts } from '../texts-edit.ts'
import type { Draft } from './draft.ts'

interface Bar {
  readonly key: string
  readonly name: string
  readonly beginMs: number
  /** The same as the begin for a single moment. */
  readonly endMs: number
  readonly text: string
  readonly tone: 'window' | 'paper' | 'moment'
}

const dayMs = 86_400_000
const offsetMs = 8 * 3_600_000
const hourMs = 3_600_000
/** Where the axis may have marks: as many as can be read. Days begin at midnight here. */
const strides = [1, 2, 3, 6, 12, ...[1, 2, 5, 7, 14, 30, 60, 90, 180].map(days => 24 * days)]

/** The marks of an axis: the time of the day where it is short, else the day. */
export const marksOf = (from: number, to: number): readonly { readonly at: number; readonly text: string }[] => {
  const step = (strides.find(hours => (to - from) / (hours * hourMs) <= 8) ?? 24 * 365) * hourMs
  const unit = Math.min(step, dayMs)
  const first = Math.ceil((from + offsetMs) / unit) * unit - offsetMs
  return Array.from({ length: Math.floor((to - first) / step) + 1 }, (_, index) => {
    const at = first + index * step
    const [day = '', time = ''] = formatInstant(at).split(' ')
    return { at, text: time === '00:00:00' ? day.slice(5) : time.slice(0, 5) }
  })
}

const useBars = (draft: Draft): readonly Bar[] => {
  const t = useT(editTexts)
  const at = (name: string): number | null => {
    const value = draft.values[name]
    return typeof value === 'string' ? (parseInstant(value) ?? null) : null
  }
  const bar = (key: string, name: string, begin: number | null, end: number | null, tone: Bar['tone']): readonly Bar[] => {
    const from = begin ?? end
    if (from === null) return []
    const to = end ?? from
    const wire = formatInstant(from)
    const last = endMinuteOf(formatInstant(to))
    const text = from !== to ? `${minuteOf(wire)} – ${last}` : begin === null ? last : minuteOf(wire)
    return [{ key, name, beginMs: from, endMs: Math.max(from, to), tone, text }]
  }
  return [
    ...bar('sign', t('times.sign'), at('signBegin'), at('signEnd'), 'window'),
    ...bar('modify', t('times.modify'), at('signBegin'), at('modifyEnd'), 'window').filter(() => at('modifyEnd') !== null),
    ...bar('examine', t('times.examine'), at('examineBegin') ?? at('signBegin'), at('examineEnd'), 'window').filter(
      () => at('examineEnd') !== null,
    ),
    ...bar('appeal', t('times.appeal'), null, at('appealEnd'), 'moment'),
    ...bar('pay', t('times.pay'), at('payBegin'), at('payEnd'), 'window'),
    ...bar('adjust', t('times.adjust'), at('adjustBegin'), at('adjustEnd'), 'window'),
    ...bar('ticket', t('times.ticket'), at('ticketBegin'), at('ticketEnd'), 'window'),
    ...draft.examitems.flatMap(paper =>
      bar(`paper ${paper.itemCode}`, paper.itemName, parseInstant(paper.startTime) ?? null, parseInstant(paper.endTime) ?? null, 'paper'),
    ),
    ...bar('msTicket', t('times.msTicket'), at('msTicketBegin'), at('msTicketEnd'), 'window'),
    ...bar('score', t('times.score'), at('scoreBegin'), null, 'moment'),
  ]
}

/** The windows of an examination as bars over one axis, so that overlaps and gaps can be seen. */
export const TimeBars = ({ draft }: { readonly draft: Draft }) => {
  const t = useT(editTexts)
  const bars = useBars(draft)
  if (bars.length < 2)
    return (
      <p className="card time-bars-empty" role="note">
        {t('times.chart.empty')}
      </p>
    )
  const first = Math.min(...bars.map(bar => bar.beginMs))
  const last = Math.max(...bars.map(bar => bar.endMs))
  const edge = Math.max((last - first) * 0.02, hourMs)
  const [from, to] = [first - edge, last + edge]
  const x = (ms: number) => (100 * (ms - from)) / (to - from)
  const now = serverNow()
  return (
    <figure className="card time-bars" aria-label={t('times.chart')}>
      <figcaption>{t('times.chart')}</figcaption>
      <div className="time-axis" aria-hidden="true">
        <span />
        <div>
          {marksOf(from, to).map(({ at, text }) => (
            <i key={at} style={{ left: `${x(at)}%` }} data-late={x(at) > 94}>
              {text}
            </i>
          ))}
        </div>
      </div>
      <ul>
        {bars.map(bar => (
          <li key={bar.key} title={`${bar.name} ${bar.text}`}>
            <span>{bar.name}</span>
            <div>
              {now > from && now < to ? <s style={{ left: `${x(now)}%` }} title={t('times.now')} /> : null}
              <b
                data-tone={bar.tone}
                style={{ left: `${x(bar.beginMs)}%`, width: bar.endMs === bar.beginMs ? undefined : `${x(bar.endMs) - x(bar.beginMs)}%` }}
              />
              <span className="visually-hidden">{bar.text}</span>
            </div>
          </li>
        ))}
      </ul>
    </figure>
  )
}
