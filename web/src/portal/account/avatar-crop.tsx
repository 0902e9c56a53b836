import Cropper from 'react-easy-crop'
import 'react-easy-crop/react-easy-crop.css'
import { useT } from '#web/kernel/i18n/index.ts'
import { encode } from '#web/kernel/picture-canvas.ts'
import { useCrop } from '#web/kernel/use-crop.ts'
import { Sheet } from '../kit/sheet.tsx'
import { Button } from '../kit/ui.tsx'
import { meTexts } from './me-texts.ts'

/** The server keeps at most as many pixels a side. */
const sidePx = 512

/** A square part of the chosen picture. */
export const AvatarCrop = ({
  source,
  onClose,
  onUse,
  onBroken,
}: {
  readonly source: File
  readonly onClose: () => void
  readonly onUse: (picture: Blob) => Promise<void>
  readonly onBroken: () => void
}) => {
  const t = useT(meTexts)
  const { area, busy, cropper, zoom, setZoom, draw, busily } = useCrop(source, onBroken)
  const use = () =>
    busily(async () => {
      const side = Math.min(sidePx, Math.round(area?.width ?? 0))
      const canvas = draw(side, side)
      if (canvas !== null) await onUse(await encode(canvas, 0.9))
    })
  if (cropper === null) return null
  return (
    <Sheet
      title={t('avatar.title')}
      firm
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{t('avatar.cancel')}</Button>
          <Button look="primary" busy={busy} disabled={area === null} onClick={() => void use()}>
            {t('avatar.use')}
          </Button>
        </>
      }
    >
      <p className="p-small p-soft">{t('avatar.help')}</p>
      <div className="p-avatar-crop">
        <Cropper {...cropper} aspect={1} cropShape="round" showGrid={false} disableAutomaticStylesInjection />
      </div>
      <label className="p-avatar-zoom">
        <span className="p-label">{t('avatar.zoom')}</span>
        <input type="range" min={1} max={3} step={0.05} value={zoom} onChange={event => setZoom(Number(event.target.value))} />
      </label>
    </Sheet>
  )
}
