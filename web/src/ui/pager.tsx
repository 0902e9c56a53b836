import { type ReactNode, useState } from 'react'
import { useT } from '../kernel/i18n/index.ts'
import * as settings from '../kernel/settings.ts'
import { uiTexts } from './texts.ts'

interface Props {
  /** What is paged, when a page has several. */
  readonly of?: string | undefined

  readonly current: number
  readonly size: number
  readonly total: number
  readonly onChange: (current: number, size: number) => void
  /** Given where there are more than `total`: counts them all. */
  readonly onCountAll?: (() => void) | undefined
  /** What else is said of all rows, beside their count. */
  readonly beside?: ReactNode
}

/** `1,000+` where the count stopped. */
export const countText = (total: number, hasMore: boolean): string | number => (hasMore ? `${total.toLocaleString('en')}+` : total)

/** The pages worth a button: first, last and the neighbours; `null` is a gap. */
export const pagesOf = (current: number, last: number): readonly (number | null)[] => {
  if (last <= 7) return Array.from({ length: last }, (_, index) => index + 1)
  const from = Math.max(2, Math.min(current - 1, last - 4))
  const to = Math.min(last - 1, Math.max(current + 1, 5))
  const middle = Array.from({ length: to - from + 1 }, (_, index) => from + index)
  return [1, ...(from > 2 ? [null] : []), ...middle, ...(to < last - 1 ? [null] : []), last]
}

export const Pager = ({ of, current, size, total, onChange, onCountAll, beside }: Props) => {
  const t = useT(uiTexts)
  const [jump, setJump] = useState('')
  const last = Math.max(1, Math.ceil(total / size))
  const go = (page: number) => onChange(Math.min(last, Math.max(1, page)), size)
  return (
    <nav className="pager" aria-label={of === undefined ? t('pager.label') : t('pager.of', { name: of })}>
      <span>{t('table.total', { total: countText(total, onCountAll !== undefined) })}</span>
      {onCountAll === undefined ? null : (
        <button type="button" className="link-button" onClick={onCountAll}>
          {t('pager.countAll')}
        </button>
      )}
      {beside}
      {/* Of one piece: beside long sums it stands in a line of its own, instead of falling apart. */}
      <div className="pager-go">
        <select className="input" aria-label={t('pager.size')} value={size} onChange={event => onChange(1, Number(event.target.value))}>
          {settings.pageSizes.map(each => (
            <option key={each} value={each}>
              {t('pager.perPage', { size: each })}
            </option>
          ))}
        </select>
        <span className="pager-pages">
          <button type="button" aria-label={t('pager.previous')} disabled={current <= 1} onClick={() => go(current - 1)}>
            ‹
          </button>
          {pagesOf(current, last).map((page, index) =>
            page === null ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: a gap has no other name
              <span key={`gap${index}`} aria-hidden="true">
                …
              </span>
            ) : (
              <button
                key={page}
                type="button"
                aria-label={t('pager.page', { page })}
                aria-current={page === current ? 'page' : undefined}
                onClick={() => go(page)}
              >
                {page}
              </button>
            ),
          )}
          <button type="button" aria-label={t('pager.next')} disabled={current >= last} onClick={() => go(current + 1)}>
            ›
          </button>
        </span>
        {last > 7 ? (
          <label className="pager-jump">
            {t('pager.jump')}
            <input
              className="input"
              inputMode="numeric"
              value={jump}
              onChange={event => setJump(event.target.value.replace(/\D/g, ''))}
              onKeyDown={event => {
                if (event.key !== 'Enter' || jump === '') return
                go(Number(jump))
                setJump('')
              }}
            />
            {t('pager.jumpUnit')}
          </label>
        ) : null}
      </div>
    </nav>
  )
}
