import { useT } from '#web/kernel/i18n/index.ts'
import type { Qr } from '../wire.ts'
import { payTexts } from './texts.ts'

const addressOf = (qr: Qr): string => (qr.qr.startsWith('data:') ? qr.qr : `data:image/svg+xml;base64,${qr.qr}`)

/** Shown to be scanned with another device: the provider takes no code of this kind that was saved or pressed. */
export const QrCode = ({ qr, isFaint }: { readonly qr: Qr; readonly isFaint: boolean }) => {
  const t = useT(payTexts)
  return (
    <img
      className="p-qr"
      src={addressOf(qr)}
      alt={t('pay.qr.alt')}
      width={240}
      height={240}
      draggable={false}
      style={isFaint ? { opacity: 0.15 } : undefined}
    />
  )
}
