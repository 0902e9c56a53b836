import { useEffect, useState } from 'react'
import { useT } from '#web/kernel/i18n/index.ts'
import { saveFile } from '#web/kernel/save-file.ts'
import { isInApp } from '../kit/in-app.ts'
import type { Qr } from '../wire.ts'
import { payTexts } from './texts.ts'

const addressOf = (qr: Qr): string => (qr.qr.startsWith('data:') ? qr.qr : `data:image/svg+xml;base64,${qr.qr}`)

/** The code as a PNG with a white rim: phones put pictures, not drawings, into their album. */
const drawPng = async (qr: Qr): Promise<HTMLCanvasElement | null> => {
  const image = new Image()
  image.src = addressOf(qr)
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = 720
  canvas.height = 720
  const context = canvas.getContext('2d')
  if (context === null) return null
  context.fillStyle = '#fff'
  context.fillRect(0, 0, 720, 720)
  context.imageSmoothingEnabled = false
  context.drawImage(image, 40, 40, 640, 640)
  return canvas
}
export const savePng = async (qr: Qr): Promise<void> => {
  const canvas = await drawPng(qr)
  const blob = await new Promise<Blob | null>(resolve => (canvas === null ? resolve(null) : canvas.toBlob(resolve, 'image/png')))
  if (blob !== null) saveFile(blob, `${qr.orderNo}.png`)
}

/** Where a page can save nothing, a long press can: what it presses on is the picture that would have been saved. */
export const QrCode = ({ qr, isFaint }: { readonly qr: Qr; readonly isFaint: boolean }) => {
  const t = useT(payTexts)
  const [src, setSrc] = useState(addressOf(qr))
  useEffect(() => {
    if (!isInApp) return
    drawPng(qr)
      .then(canvas => canvas !== null && setSrc(canvas.toDataURL('image/png')))
      .catch(() => {}) // The drawing stays.
  }, [qr])
  return <img className="p-qr" src={src} alt={t('pay.qr.alt')} width={240} height={240} style={isFaint ? { opacity: 0.15 } : undefined} />
}
