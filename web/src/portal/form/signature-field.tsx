import { type PointerEvent, useRef, useState } from 'react'
import { heicAdvice } from '#contract/kernel/picture-name.ts'
import { acceptOf } from '#web/kernel/accept.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { asSendable } from '#web/kernel/picture.ts'
import { upload } from '#web/kernel/upload.ts'
import { FieldSet } from '../kit/field.tsx'
import { CheckIcon } from '../kit/page-icons.tsx'
import { Button } from '../kit/ui.tsx'
import type { SignItem } from '../wire.ts'
import { formTexts } from './texts.ts'

/** A picture that is turned here becomes no larger. */
const mostBytes = 2 * 1024 * 1024

/** A picture as an answer: chosen from the device, or signed by hand. The value is the id of the stored file. */
export const SignatureField = ({
  item,
  value,
  error,
  onChange,
}: {
  readonly item: SignItem
  readonly value: string
  readonly error?: string
  readonly onChange: (fileId: string) => void
}) => {
  const t = useT(formTexts)
  const canvas = useRef<HTMLCanvasElement>(null)
  const [drawn, setDrawn] = useState(false)
  const [busy, setBusy] = useState(false)
  const [again, setAgain] = useState(false)
  const say = useLabel()
  const [trouble, setTrouble] = useState<string | null>(null)
  const send = async (given: File) => {
    setTrouble(null)
    setBusy(true)
    try {
      const file = await asSendable(given, mostBytes)
      if (file === undefined) return setTrouble(say(heicAdvice))
      const { fileId } = await upload<{ fileId: string }>('/file/upload', file, { fields: { purpose: 'image' } })
      onChange(fileId)
      setAgain(false)
    } catch {
      // The client has said why.
    } finally {
      setBusy(false)
    }
  }
  const stroke = (event: PointerEvent<HTMLCanvasElement>, begins: boolean) => {
    const pad = canvas.current
    const context = pad?.getContext('2d')
    if (!pad || !context || (!begins && event.buttons === 0)) return
    const box = pad.getBoundingClientRect()
    const [x, y] = [((event.clientX - box.left) / box.width) * pad.width, ((event.clientY - box.top) / box.height) * pad.height]
    if (begins) {
      pad.setPointerCapture(event.pointerId)
      context.lineWidth = 5
      context.lineCap = 'round'
      context.lineJoin = 'round'
      context.strokeStyle = '#111'
      context.beginPath()
      context.moveTo(x, y)
    } else {
      context.lineTo(x, y)
      context.stroke()
      setDrawn(true)
    }
  }
  const clear = () => {
    const pad = canvas.current
    pad?.getContext('2d')?.clearRect(0, 0, pad.width, pad.height)
    setDrawn(false)
  }
  const use = () =>
    canvas.current?.toBlob(blob => {
      if (blob !== null) void send(new File([blob], 'signature.png', { type: 'image/png' }))
    }, 'image/png')
  const has = value !== '' && !again
  return (
    <FieldSet label={item.itemLabel} required={item.required} showOptional={!item.required} help={item.help} error={trouble ?? error}>
      {has ? (
        <div className="p-file">
          <CheckIcon />
          <span style={{ flex: 1 }}>{t(item.fieldType === 'signature' ? 'form.sign.done' : 'form.files.done')}</span>
          <Button look="text" onClick={() => setAgain(true)}>
            {t(item.fieldType === 'signature' ? 'form.sign.again' : 'form.files.replace')}
          </Button>
        </div>
      ) : item.fieldType === 'signature' ? (
        <>
          <canvas
            ref={canvas}
            width={900}
            height={360}
            className="p-sign-pad"
            aria-label={t('form.sign.pad')}
            onPointerDown={event => stroke(event, true)}
            onPointerMove={event => stroke(event, false)}
          />
          <div className="p-row">
            <Button onClick={clear}>{t('form.sign.clear')}</Button>
            <Button look="primary" disabled={!drawn} busy={busy} onClick={use}>
              {t('form.sign.use')}
            </Button>
          </div>
        </>
      ) : (
        <input
          type="file"
          className="p-input"
          accept={acceptOf(['jpg', 'png'])}
          aria-label={item.itemLabel}
          disabled={busy}
          onChange={event => {
            const file = event.target.files?.[0]
            event.target.value = ''
            if (file) void send(file)
          }}
        />
      )}
    </FieldSet>
  )
}
