import { useState } from 'react'
import { useT } from '#web/kernel/i18n/index.ts'
import { takeSitting, useDay } from './day.ts'
import type { Place } from './find.ts'
import { sittingsOf } from './sittings.ts'
import { siteTexts } from './texts.ts'

/** The way to a room that is on this device, or that the server gives to it. */
const Way = ({ place }: { readonly place: Place }) => {
  const t = useT(siteTexts)
  const { rooms, kept } = useDay()
  const [isTaking, setTaking] = useState(false)
  const sitting = sittingsOf(rooms, kept).find(one => one.key === place.key)
  if (sitting === undefined || (sitting.isClosed && !sitting.isKept)) return null
  const go = async () => {
    setTaking(true)
    if (sitting.isKept || (await takeSitting(sitting)) === null) location.hash = `${place.key}/${place.ticketId}`
    setTaking(false)
  }
  return (
    <button type="button" className="d-button" disabled={isTaking} onClick={() => void go()}>
      {t(isTaking ? 'taking' : 'goThere')}
    </button>
  )
}

const most = 20
/** Where people sit who were looked for: room, seat, site, and how to get there. */
export const Places = ({ of }: { readonly of: readonly Place[] }) =>
  of.length === 0 ? null : (
    <ul className="d-cards">
      {of.slice(0, most).map(place => (
        <PlaceCard key={place.ticketId} place={place} />
      ))}
    </ul>
  )

const PlaceCard = ({ place }: { readonly place: Place }) => {
  const t = useT(siteTexts)
  return (
    <li className="d-card">
      <b>
        {place.name} {place.ticketNo}
      </b>
      <p>
        <b>{t('place', { room: place.roomNo, name: place.roomName && ` ${place.roomName}`, seat: place.seatNo })}</b>
      </p>
      <p className="d-small">
        {place.siteName} · {place.itemName}
        {place.startTime !== '' && ` · ${place.startTime.slice(5, 16)}`}
      </p>
      <Way place={place} />
    </li>
  )
}
