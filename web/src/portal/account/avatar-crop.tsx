import { useEffect, useEffectEvent, useRef, useState } from 'react'
import Cropper from 'react-easy-crop'
import 'react-easy-crop/react-easy-crop.css'
import { useT } from '#web/kernel/i18n/index.ts'
import { type Area, drawCrop, encode } from '#web/kernel/picture.ts'
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
  const [url, setUrl] = useState('')
  const [crop, setCrop] = useState({ x: 0, y: 0 })
  const [zoom, setZoom] = useState(1)
  const [area, setArea] = useState<Area | null>(null)
  const [busy, setBusy] = useState(false)
  const image = useRef<HTMLImageElement | null>(null)
  const broken = useEffectEvent(onBroken)
  useEffect(() => {
    const address = URL.createObjectURL(source)
    const loaded = new Image()
    loaded.onload = () => {
      image.current = loaded
      setUrl(address)
    }
    loaded.onerror = () => broken()
    loaded.src = address
    return () => {
      loaded.onload = null
      loaded.onerror = null
      URL.revokeObjectURL(address)
    }
  }, [source])
  const use = async () => {
    if (area === null || image.current === null) return
    setBusy(true)
    try {
      const side = Math.min(sidePx, Math.round(area.width))
      const canvas = drawCrop(image.current, area, 0, side, side)
      if (canvas !== null) await onUse(await encode(canvas, 0.9))
    } finally {
      setBusy(false)
    }
  }
  if (url === '') return null
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
        <Cropper
          image={url}
          crop={crop}
          zoom={zoom}
          aspect={1}
          cropShape="round"
          showGrid={false}
          onCropChange={setCrop}
          onZoomChange={setZoom}
          onCropComplete={(_, pixels) => setArea(pixels)}
          disableAutomaticStylesInjection
        />
      </div>
      <label className="p-avatar-zoom">
        <span className="p-label">{t('avatar.zoom')}</span>
        <input type="range" min={1} max={3} step={0.05} value={zoom} onChange={event => setZoom(Number(event.target.value))} />
      </label>
    </Sheet>
  )
}
