import type { KeyboardEvent } from 'react'
import { useT } from '#web/kernel/i18n/index.ts'
import { reviewTexts } from '../texts.ts'

/** A text on offer; `onUse` is told that it was taken. */
export interface Offer {
  readonly text: string
  readonly onUse?: () => void
}

/** The offer that Alt and a digit ask for; undefined for any other key. */
export const offerOf = (event: KeyboardEvent, offers: readonly Offer[]): Offer | undefined => {
  const digit = event.altKey ? /^Digit([1-9])$/.exec(event.code)?.[1] : undefined
  return digit === undefined ? undefined : offers[Number(digit) - 1]
}

/** Texts that are taken by a click or by Alt and their number. */
export const TipList = ({ offers, onTake }: { readonly offers: readonly Offer[]; readonly onTake: (offer: Offer) => void }) => {
  const t = useT(reviewTexts)
  return (
    <ul className="advice-canned" aria-label={t('advice.canned')}>
      {offers.map((offer, n) => (
        <li key={offer.text}>
          <button
            type="button"
            {...(n < 9 ? { title: `Alt + ${n + 1}`, 'aria-keyshortcuts': `Alt+${n + 1}` } : {})}
            onClick={() => onTake(offer)}
          >
            {n < 9 ? <kbd>{n + 1}</kbd> : null}
            {offer.text}
          </button>
        </li>
      ))}
    </ul>
  )
}
