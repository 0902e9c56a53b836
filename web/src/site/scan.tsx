import { useEffect, useRef } from 'react'
import { useT } from '#web/kernel/i18n/index.ts'
import { siteTexts } from './texts.ts'

interface Detector {
  readonly detect: (source: HTMLVideoElement) => Promise<readonly { readonly rawValue: string }[]>
}
type DetectorClass = new (options: { readonly formats: readonly string[] }) => Detector

/** Reads what the camera sees: by the browser where it can, else by a library that comes when it is needed. */
const readerOf = async (): Promise<(video: HTMLVideoElement) => Promise<string | undefined>> => {
  const Own = (globalThis as { BarcodeDetector?: DetectorClass & { getSupportedFormats(): Promise<readonly string[]> } }).BarcodeDetector
  if (Own !== undefined && (await Own.getSupportedFormats()).includes('qr_code')) {
    const detector = new Own({ formats: ['qr_code'] })
    return async video => (await detector.detect(video))[0]?.rawValue
  }
  const { readCode } = await import('./read-code.ts')
  const canvas = document.createElement('canvas')
  const pen = canvas.getContext('2d', { willReadFrequently: true })
  return async video => {
    canvas.width = video.videoWidth
    canvas.height = video.videoHeight
    if (pen === null || canvas.width === 0) return undefined
    pen.drawImage(video, 0, 0)
    const { data, width, height } = pen.getImageData(0, 0, canvas.width, canvas.height)
    return readCode({ data, width, height })
  }
}

const everyMs = 150

/** The camera until it has seen a code. */
export const Scanner = ({
  onCode,
  onClose,
  onBlind,
}: {
  readonly onCode: (text: string) => void
  readonly onClose: () => void
  /** There is no camera, or it may not be used. */
  readonly onBlind: () => void
}) => {
  const t = useT(siteTexts)
  const video = useRef<HTMLVideoElement>(null)
  const found = useRef(onCode)
  found.current = onCode
  const blind = useRef(onBlind)
  blind.current = onBlind
  useEffect(() => {
    let stream: MediaStream | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    const look = async () => {
      const read = await readerOf()
      // Of the 640 × 480 that browsers give unasked, a code of 25 mm at arm's length has two pixels a module.
      const wanted = { facingMode: 'environment', width: { ideal: 1280 }, height: { ideal: 720 } }
      stream = await navigator.mediaDevices.getUserMedia({ video: wanted, audio: false })
      const screen = video.current
      if (isOver || screen === null) return stream.getTracks().forEach(track => void track.stop())
      screen.srcObject = stream
      await screen.play()
      const next = async () => {
        const text = await read(screen).catch(() => undefined)
        if (isOver) return
        if (text) found.current(text)
        else timer = setTimeout(() => void next(), everyMs)
      }
      await next()
    }
    look().catch(() => {
      if (!isOver) blind.current()
    })
    return () => {
      isOver = true
      clearTimeout(timer)
      stream?.getTracks().forEach(track => void track.stop())
    }
  }, [])
  return (
    <div className="d-scan">
      <video ref={video} muted playsInline aria-label={t('scanHint')} />
      <p>{t('scanHint')}</p>
      <button type="button" className="d-button" onClick={onClose}>
        {t('close')}
      </button>
    </div>
  )
}
