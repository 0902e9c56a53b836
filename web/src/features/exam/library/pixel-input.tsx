import { useT } from '#web/kernel/i18n/index.ts'
import type { InputProps } from '#web/resource/input-props.ts'
import { libraryTexts } from './texts.ts'

export interface Pixels {
  readonly minW: number
  readonly minH: number
  readonly maxW: number
  readonly maxH: number
  readonly ratio: readonly [number, number]
}
/** A portrait of two inches (domain 3.4). */
const usual: Pixels = { minW: 295, minH: 413, maxW: 4_000, maxH: 6_000, ratio: [0.7, 0.76] }

/** Which pixels a picture may have: none asked for, or sides and width by height from–to. */
export const PixelInput = ({ value, onChange, id }: InputProps) => {
  const t = useT(libraryTexts)
  const pixels = typeof value === 'object' && value !== null ? (value as Pixels) : null
  const side = (name: 'minW' | 'minH' | 'maxW' | 'maxH') => (
    <input
      className="input"
      inputMode="numeric"
      aria-label={t(`pixel.${name}`)}
      value={pixels?.[name] || ''}
      onChange={event => onChange?.({ ...pixels, [name]: Number(event.target.value.replaceAll(/\D/g, '').slice(0, 5)) })}
    />
  )
  const bound = (at: 0 | 1) => (
    <input
      className="input"
      type="number"
      step="0.01"
      min="0.1"
      max="10"
      aria-label={t(at === 0 ? 'pixel.ratio.min' : 'pixel.ratio.max')}
      value={pixels?.ratio[at] ?? ''}
      onChange={event =>
        onChange?.({ ...pixels, ratio: pixels?.ratio.map((each, index) => (index === at ? Number(event.target.value) : each)) })
      }
    />
  )
  return (
    <div className="pixel-input">
      <label className="exam-check">
        <input id={id} type="checkbox" checked={pixels !== null} onChange={event => onChange?.(event.target.checked ? usual : null)} />
        {t('pixel.on')}
      </label>
      {pixels === null ? null : (
        <>
          <span>
            {t('pixel.least')} {side('minW')} × {side('minH')}
          </span>
          <span>
            {t('pixel.most')} {side('maxW')} × {side('maxH')}
          </span>
          <span>
            {t('pixel.ratio')} {bound(0)} – {bound(1)}
          </span>
        </>
      )}
    </div>
  )
}
