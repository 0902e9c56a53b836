import Cropper from 'react-easy-crop'
import 'react-easy-crop/react-easy-crop.css'
import { useT } from '../kernel/i18n/index.ts'
import { notify } from '../kernel/notify.ts'
import { encodeWithin } from '../kernel/picture-canvas.ts'
import { useCrop } from '../kernel/use-crop.ts'
import { ActionDialog } from './action-dialog.tsx'
import { Labelled } from './labelled.tsx'
import { uiTexts } from './texts.ts'

interface Props {
  readonly source: File
  readonly title: string
  /** Width and height of the result in pixels; a smaller part is not enlarged. */
  readonly size: { readonly width: number; readonly height: number }
  readonly maxBytes: number
  readonly round?: boolean
  /** @returns whether the dialog may close */
  readonly onUse: (picture: File) => Promise<boolean>
  readonly onClose: () => void
}

/** Chooses the part of a picture that is used, as for an avatar: by mouse, finger, or the arrow keys and the sliders. */
export const CropDialog = ({ source, title, size, maxBytes, round = false, onUse, onClose }: Props) => {
  const t = useT(uiTexts)
  const { area, cropper, zoom, setZoom, turn, draw } = useCrop(source, () => {
    notify('warning', t('crop.broken'))
    onClose()
  })
  const use = async (): Promise<boolean> => {
    const width = Math.min(size.width, Math.round(area?.width ?? 0))
    const canvas = draw(width, Math.round((width * size.height) / size.width))
    const blob = canvas === null ? undefined : await encodeWithin(canvas, maxBytes)
    if (blob === undefined) {
      notify('warning', t('crop.failed'))
      return false
    }
    return onUse(new File([blob], source.name.replace(/(\.[a-z0-9]+)?$/i, '.jpg'), { type: 'image/jpeg' }))
  }
  if (cropper === null) return null
  return (
    <ActionDialog title={title} actions={[{ label: t('crop.use'), disabled: area === null, run: use }]} onClose={onClose}>
      <p>{t('crop.help')}</p>
      <div className="crop-stage">
        <Cropper
          {...cropper}
          aspect={size.width / size.height}
          cropShape={round ? 'round' : 'rect'}
          showGrid={!round}
          minZoom={1}
          maxZoom={6}
          keyboardStep={8}
          cropperProps={{ 'aria-label': t('crop.move'), role: 'application' }}
          disableAutomaticStylesInjection
        />
      </div>
      <div className="crop-tools">
        <Labelled label={t('crop.zoom')}>
          {id => (
            <input id={id} type="range" min={1} max={6} step={0.05} value={zoom} onChange={event => setZoom(Number(event.target.value))} />
          )}
        </Labelled>
        <button type="button" className="button" onClick={turn}>
          {t('crop.turn')}
        </button>
      </div>
    </ActionDialog>
  )
}
