import { useEffect, useEffectEvent, useState } from 'react'
import Cropper from 'react-easy-crop'
import 'react-easy-crop/react-easy-crop.css'
import { lookAtPortrait, portraitSampleWidth, whitened } from '#contract/kernel/portrait.ts'
import { type JudgedFinding, judgePhoto, type PhotoFinding } from '#contract/signup/photo.ts'
import { sizeOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { encodeWithin } from '#web/kernel/picture-canvas.ts'
import { useCrop } from '#web/kernel/use-crop.ts'
import { Sheet } from '../kit/sheet.tsx'
import { Button } from '../kit/ui.tsx'
import type { SignFile } from '../wire.ts'
import { FindingLines } from './photo-findings.tsx'
import { formTexts } from './texts.ts'

/** One inch at 300 dpi, the smallest photo that is taken, and the shapes that are (domain 3.4). */
const usual = { minW: 295, minH: 413, ratio: [0.7, 0.76] } as const
/** Not larger than a print of two inches needs. */
const widest = 826

/** Crops the certified photo to its ratio and tells at once what would be objected to. */
export const PhotoCrop = ({
  source,
  rule,
  onClose,
  onBroken,
  onUse,
}: {
  readonly source: File
  readonly rule: SignFile
  readonly onClose: () => void
  /** The picture cannot be opened. */
  readonly onBroken: () => void
  readonly onUse: (photo: File) => void
}) => {
  const t = useT(formTexts)
  const { area, busy, busily, cropper, draw, rotation, turn, zoom, setZoom } = useCrop(source, onBroken)
  const [looked, setLooked] = useState<readonly PhotoFinding[]>([])
  const [trouble, setTrouble] = useState<string | null>(null)
  /** The chosen part on white: shown, and used once the candidate has confirmed it. */
  const [canWhiten, setCanWhiten] = useState(false)
  const [white, setWhite] = useState<{ readonly canvas: HTMLCanvasElement; readonly url: string } | null>(null)
  const pixel = { ...usual, ...rule.pixel }
  const [lowest, highest] = pixel.ratio ?? usual.ratio
  const aspect = Math.min(highest, Math.max(lowest, pixel.minW / pixel.minH))
  const maxBytes = (rule.maxKb ?? 500) * 1024

  const look = useEffectEvent(() => {
    const height = Math.round(portraitSampleWidth / aspect)
    const data = draw(portraitSampleWidth, height)?.getContext('2d')?.getImageData(0, 0, portraitSampleWidth, height).data
    if (!data) return
    const sample = { width: portraitSampleWidth, height, channels: 4, data } as const
    setLooked(lookAtPortrait(sample))
    setCanWhiten(whitened(sample) !== undefined)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a look is taken again when the chosen part is another one
  useEffect(() => {
    setWhite(null)
    setTrouble(null)
    const timer = setTimeout(look, 150)
    return () => clearTimeout(timer)
  }, [area, rotation, aspect])

  // Never enlarged.
  const w = Math.min(pixel.maxW ?? widest, Math.max(widest, pixel.minW), Math.round(area?.width ?? 0))
  const h = Math.round(w / aspect)
  const judged: readonly JudgedFinding[] = area === null ? [] : judgePhoto(pixel, [{ rule: 'size', ok: true, got: `${w}×${h}` }, ...looked])
  const isRefused = judged.some(one => one.verdict === 'refused')

  const whiten = () =>
    busily(async () => {
      const canvas = draw(w, h)
      const context = canvas?.getContext('2d')
      const pixels = context?.getImageData(0, 0, w, h)
      const made = pixels && whitened({ width: w, height: h, channels: 4, data: pixels.data })
      if (!canvas || !context || !made) return
      context.putImageData(new ImageData(made as Uint8ClampedArray<ArrayBuffer>, w, h), 0, 0)
      setWhite({ canvas, url: canvas.toDataURL('image/jpeg', 0.9) })
    })
  const use = () =>
    busily(async () => {
      setTrouble(null)
      const canvas = white?.canvas ?? draw(w, h)
      const blob = canvas === null ? undefined : await encodeWithin(canvas, maxBytes)
      if (blob === undefined) setTrouble(t('form.files.tooBig', { size: `${w}×${h}`, max: sizeOf(maxBytes) }))
      else if (blob.size < (rule.minKb ?? 0) * 1024) setTrouble(t('form.files.tooSmall'))
      else onUse(new File([blob], `${source.name.replace(/\.[a-z0-9]+$/i, '')}.jpg`, { type: 'image/jpeg' }))
    })

  return (
    <Sheet
      title={t('form.photo.title')}
      firm
      onClose={onClose}
      foot={
        <>
          <Button onClick={turn}>{t('form.photo.rotate')}</Button>
          <Button look="primary" busy={busy} disabled={area === null || (isRefused && white === null)} onClick={() => void use()}>
            {t(white === null ? 'form.photo.use' : 'form.photo.useWhite')}
          </Button>
          {/* The lines of a foot stand in reverse: the last is above the buttons, and in view however little of the sheet is. */}
          {trouble !== null && (
            <p className="p-error" role="alert" style={{ flexBasis: '100%' }}>
              {trouble}
            </p>
          )}
        </>
      }
    >
      <p className="p-small p-soft">{t('form.photo.help')}</p>
      <div style={{ position: 'relative', height: 'min(52vh, 400px)', borderRadius: 12, overflow: 'hidden', background: '#333' }}>
        {cropper !== null && <Cropper {...cropper} aspect={aspect} minZoom={1} maxZoom={6} disableAutomaticStylesInjection />}
      </div>
      <label className="p-row" style={{ flexWrap: 'nowrap' }}>
        <span className="p-label">{t('form.photo.zoom')}</span>
        <input
          type="range"
          min={1}
          max={6}
          step={0.05}
          value={zoom}
          onChange={event => setZoom(Number(event.target.value))}
          style={{ flex: 1, minHeight: 44 }}
        />
      </label>
      {canWhiten && white === null && (
        <Button block busy={busy} onClick={() => void whiten()}>
          {t('form.photo.whiten')}
        </Button>
      )}
      {white !== null && (
        <div className="p-row" style={{ flexWrap: 'nowrap', alignItems: 'flex-start' }} role="status">
          <img src={white.url} alt={t('form.photo.white')} style={{ width: 120, border: '1px solid var(--border)' }} />
          <div className="p-stack p-gap-s">
            <p className="p-small">{t('form.photo.whiteHint')}</p>
            <Button onClick={() => setWhite(null)}>{t('form.photo.original')}</Button>
          </div>
        </div>
      )}
      <ul className="p-plain p-stack p-gap-s" aria-label={t('form.files.checks')} aria-live="polite">
        {area === null && <li className="p-small p-dim">{t('form.photo.working')}</li>}
        {/* What is good about a photo that is refused says nothing. */}
        <FindingLines findings={trouble === null ? judged : judged.filter(one => one.verdict !== 'ok')} />
      </ul>
    </Sheet>
  )
}
