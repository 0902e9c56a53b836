import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { type Area, drawCrop, ensureWhole } from './picture.ts'

/**
 * What every cropping dialog keeps: the opened picture, the part that is chosen, and whether it is being used.
 * Spread `cropper` onto react-easy-crop.
 * @param onBroken - the picture cannot be opened or broke off
 */
export const useCrop = (source: File, onBroken?: () => void) => {
  const [url, setUrl] = useState('')
  const [crop, setCrop] = useState({ x: 0, y: 0 })
  const [zoom, setZoom] = useState(1)
  const [rotation, setRotation] = useState(0)
  const [area, setArea] = useState<Area | null>(null)
  const [busy, setBusy] = useState(false)
  const image = useRef<HTMLImageElement | null>(null)
  const broken = useEffectEvent(() => onBroken?.())
  useEffect(() => {
    const address = URL.createObjectURL(source)
    const loaded = new Image()
    let isLeft = false
    const open = async () => {
      try {
        await ensureWhole(source)
        loaded.src = address
        await loaded.decode()
      } catch {
        if (!isLeft) broken()
        return
      }
      if (isLeft) return
      image.current = loaded
      setUrl(address)
    }
    void open()
    return () => {
      isLeft = true
      URL.revokeObjectURL(address)
    }
  }, [source])
  /** The chosen part at a size; null while there is none. */
  const draw = (width: number, height: number): HTMLCanvasElement | null =>
    area === null || image.current === null ? null : drawCrop(image.current, area, rotation, width, height)
  /** Runs what uses the picture; busy until it is over, however it ends. */
  const busily = async (work: () => Promise<void>) => {
    setBusy(true)
    try {
      await work()
    } finally {
      setBusy(false)
    }
  }
  const onCropComplete = useCallback((_: Area, pixels: Area) => setArea(pixels), [])
  return {
    area,
    busy,
    rotation,
    zoom,
    setZoom,
    turn: () => setRotation(degrees => (degrees + 90) % 360),
    draw,
    busily,
    /** Null until the picture is open. */
    cropper: url === '' ? null : { image: url, crop, zoom, rotation, onCropChange: setCrop, onZoomChange: setZoom, onCropComplete },
  }
}
