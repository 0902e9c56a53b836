import { useEffect, useEffectEvent, useState } from 'react'
import Cropper from 'react-easy-crop'
import 'react-easy-crop/react-easy-crop.css'
import { useT } from '#web/kernel/i18n/index.ts'
import { encodeWithin } from '#web/kernel/picture.ts'
import { useCrop } from '#web/kernel/use-crop.ts'
import { AlertIcon } from '../kit/icons.tsx'
import { CheckIcon } from '../kit/page-icons.tsx'
import { Sheet } from '../kit/sheet.tsx'
import { Button } from '../kit/ui.tsx'
import type { SignFile } from '../wire.ts'
import { lookAt, type Remark, remarksOf } from './photo-look.ts'
import { formTexts } from './texts.ts'

/** One inch at 300 dpi, the smallest photo that is taken (domain 3.4). */
const smallest = { width: 295, height: 413 }

/** Crops the certified photo to its ratio and tells at once what would be objected to. */
export const PhotoCrop = ({
  source,
  rule,
  onClose,
  onUse,
}: {
  readonly source: File
  readonly rule: SignFile
  readonly onClose: () => void
  readonly onUse: (photo: File) => void
}) => {
  const t = useT(formTexts)
  const { area, busy, busily, cropper, draw, rotation, turn, zoom, setZoom } = useCrop(source)
  const [remarks, setRemarks] = useState<readonly Remark[]>([])
  const minW = rule.pixel?.minW ?? smallest.width
  const minH = rule.pixel?.minH ?? smallest.height
  const aspect = minW / minH

  const look = useEffectEvent(() => {
    const small = draw(118, Math.round(118 / aspect))
    const context = small?.getContext('2d')
    if (!small || !context) return
    const { data } = context.getImageData(0, 0, small.width, small.height)
    setRemarks(remarksOf(lookAt(data, small.width, small.height)))
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a look is taken again when the chosen part is another one
  useEffect(() => {
    const timer = setTimeout(look, 150)
    return () => clearTimeout(timer)
  }, [area, rotation, aspect])

  const w = Math.round(area?.width ?? 0)
  const h = Math.round(area?.height ?? 0)
  const bigEnough = w >= minW && h >= minH

  const use = () =>
    busily(async () => {
      // Never enlarged, and not larger than a print of two inches needs.
      const width = Math.min(rule.pixel?.maxW ?? 826, w)
      const canvas = draw(width, Math.round(width / aspect))
      const blob = canvas === null ? undefined : await encodeWithin(canvas, (rule.maxKb ?? 500) * 1024)
      if (blob !== undefined) onUse(new File([blob], 'photo.jpg', { type: 'image/jpeg' }))
    })

  return (
    <Sheet
      title={t('form.photo.title')}
      firm
      onClose={onClose}
      foot={
        <>
          <Button onClick={turn}>{t('form.photo.rotate')}</Button>
          <Button look="primary" busy={busy} disabled={!bigEnough} onClick={() => void use()}>
            {t('form.photo.use')}
          </Button>
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
      <ul className="p-plain p-stack p-gap-s" aria-label={t('form.files.checks')} aria-live="polite">
        {area === null ? (
          <li className="p-small p-dim">{t('form.photo.working')}</li>
        ) : (
          <li className={bigEnough ? 'p-finding is-ok' : 'p-finding is-no'}>
            {bigEnough ? <CheckIcon size={18} /> : <AlertIcon size={18} />}
            <span>{bigEnough ? t('form.photo.size.ok', { w, h }) : t('form.photo.size.no', { w, h, minW, minH })}</span>
          </li>
        )}
        {remarks.map(remark => (
          <li key={remark.key} className={`p-finding is-${remark.result}`}>
            {remark.result === 'ok' ? <CheckIcon size={18} /> : <AlertIcon size={18} />}
            <span>{t(remark.text)}</span>
          </li>
        ))}
      </ul>
    </Sheet>
  )
}
