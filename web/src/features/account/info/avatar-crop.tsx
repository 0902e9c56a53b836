import { useEffect, useEffectEvent, useRef, useState } from 'react'
import Cropper, { type Area } from 'react-easy-crop'
import 'react-easy-crop/react-easy-crop.css'
import { useT } from '../../../kernel/i18n/index.ts'
import { Dialog } from '../../../ui/modal.tsx'
import { accountTexts } from '../texts.ts'

/** The server keeps at most as many pixels a side. */
const sidePx = 512

const cut = (image: HTMLImageElement, area: Area): Promise<Blob | null> => {
  const canvas = document.createElement('canvas')
  const side = Math.min(sidePx, Math.round(area.width))
  canvas.width = side
  canvas.height = side
  const context = canvas.getContext('2d')
  if (context === null) return Promise.resolve(null)
  // A transparent picture gets a white ground: it is sent as JPEG, which has none.
  context.fillStyle = '#fff'
  context.fillRect(0, 0, side, side)
  context.drawImage(image, area.x, area.y, area.width, area.height, 0, 0, side, side)
  return new Promise(resolve => canvas.toBlob(resolve, 'image/jpeg', 0.9))
}

interface Props {
  readonly source: File
  readonly onClose: () => void
  readonly onUse: (picture: Blob) => Promise<void>
  readonly onBroken: () => void
}

/** A square part of the chosen picture. */
export const AvatarCrop = ({ source, onClose, onUse, onBroken }: Props) => {
  const t = useT(accountTexts)
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
    const picture = await cut(image.current, area)
    if (picture !== null) await onUse(picture)
    setBusy(false)
  }
  return (
    <Dialog
      title={t('avatar.title')}
      onClose={onClose}
      footer={close => (
        <div className="form-footer">
          <button type="button" className="button" onClick={close}>
            {t('action.cancel')}
          </button>
          <button type="button" className="button button-primary" disabled={area === null || busy} onClick={() => void use()}>
            {t('avatar.use')}
          </button>
        </div>
      )}
    >
      <p className="info-help">{t('avatar.help')}</p>
      <div className="avatar-crop">
        {url === '' ? null : (
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
        )}
      </div>
      <label className="avatar-zoom">
        <span>{t('avatar.zoom')}</span>
        <input type="range" min={1} max={3} step={0.05} value={zoom} onChange={event => setZoom(Number(event.target.value))} />
      </label>
    </Dialog>
  )
}
