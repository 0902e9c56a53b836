import { useCallback, useEffect, useRef, useState } from 'react'
import Cropper from 'react-easy-crop'
import 'react-easy-crop/react-easy-crop.css'
import { useT } from '../kernel/i18n/index.ts'
import { notify } from '../kernel/notify.ts'
import { type Area, drawCrop, encodeWithin } from '../kernel/picture.ts'
import { ActionDialog } from './action-dialog.tsx'
import { Labelled } from './labelled.tsx'
import { uiTexts } from './texts.ts'

interface Props {
  readonly source: File
  readonly title: string
  /** Width and height of the result in pixels. */
  readonly size: { readonly width: number; readonly height: number }
  readonly maxBytes: number
  readonly round?: boolean
  readonly onUse: (picture: File) => void
  readonly onClose: () => void
}

/** Chooses the part of a picture that is used, as for an avatar: by mouse, finger, or the arrow keys and the sliders. */
export const CropDialog = ({ source, title, size, maxBytes, round = false, onUse, onClose }: Props) => {
  const t = useT(uiTexts)
  const [url, setUrl] = useState('')
  const [crop, setCrop] = useState({ x: 0, y: 0 })
  const [zoom, setZoom] = useState(1)
  const [rotation, setRotation] = useState(0)
  const [area, setArea] = useState<Area | null>(null)
  const image = useRef<HTMLImageElement | null>(null)
  useEffect(() => {
    const address = URL.createObjectURL(source)
    const loaded = new Image()
    loaded.src = address
    image.current = loaded
    setUrl(address)
    return () => URL.revokeObjectURL(address)
  }, [source])
  const done = useCallback((_: Area, pixels: Area) => setArea(pixels), [])
  const use = async (): Promise<boolean> => {
    if (area === null || image.current === null) return false
    const canvas = drawCrop(image.current, area, rotation, size.width, size.height)
    const blob = canvas === null ? undefined : await encodeWithin(canvas, maxBytes)
    if (blob === undefined) {
      notify('warning', t('crop.failed'))
      return false
    }
    onUse(new File([blob], source.name.replace(/(\.[a-z0-9]+)?$/i, '.jpg'), { type: 'image/jpeg' }))
    return true
  }
  return (
    <ActionDialog title={title} actions={[{ label: t('crop.use'), disabled: area === null, run: use }]} onClose={onClose}>
      <div className="crop-stage">
        {url === '' ? null : (
          <Cropper
            image={url}
            crop={crop}
            zoom={zoom}
            rotation={rotation}
            aspect={size.width / size.height}
            cropShape={round ? 'round' : 'rect'}
            minZoom={1}
            maxZoom={6}
            keyboardStep={8}
            cropperProps={{ 'aria-label': t('crop.move'), role: 'application' }}
            onCropChange={setCrop}
            onZoomChange={setZoom}
            onCropComplete={done}
            disableAutomaticStylesInjection
          />
        )}
      </div>
      <div className="crop-tools">
        <Labelled label={t('crop.zoom')}>
          {id => (
            <input id={id} type="range" min={1} max={6} step={0.05} value={zoom} onChange={event => setZoom(Number(event.target.value))} />
          )}
        </Labelled>
        <button type="button" className="button" onClick={() => setRotation((rotation + 90) % 360)}>
          {t('crop.turn')}
        </button>
      </div>
    </ActionDialog>
  )
}
