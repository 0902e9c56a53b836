import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { Check } from '#web/ui/labelled.tsx'
import { EmptyState, Loaded } from '#web/ui/states.tsx'
import { roomsOfSites, withRooms } from './library-rooms.ts'
import { libraryQuery, type RoomPaper, saveRooms, seatsOfRooms } from './rooms-calls.ts'
import { roomsPageTexts } from './rooms-page-texts.ts'
import './rooms.css'

const useChosen = () => {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const toggle = (key: string) => (on: boolean) => setChosen(now => new Set(on ? [...now, key] : [...now].filter(one => one !== key)))
  return { chosen, toggle }
}

/** Rooms out of the sites of the tenant. */
export const TakeDialog = ({ paper, onClose }: { readonly paper: RoomPaper; readonly onClose: () => void }) => {
  const t = useT(roomsPageTexts)
  const client = useQueryClient()
  const library = useQuery(libraryQuery)
  const { chosen, toggle } = useChosen()
  const add = async (): Promise<boolean> => {
    if (library.data === undefined) return false
    const sites = library.data.sites.filter(site => chosen.has(site.siteCode))
    try {
      await saveRooms(client, paper, withRooms(paper.rooms ?? [], roomsOfSites(sites, library.data.rooms)))
    } catch {
      return false // The api client has said why.
    }
    notify('success', t('done'))
    return true
  }
  return (
    <ActionDialog
      title={t('take.title', { name: paper.itemName })}
      onClose={onClose}
      actions={[{ label: t('take.add'), disabled: chosen.size === 0, run: add }]}
    >
      <Loaded query={library}>
        {({ sites, rooms }) => {
          const filled = sites.map(site => ({ site, rooms: roomsOfSites([site], rooms) })).filter(one => one.rooms.length > 0)
          if (filled.length === 0) return <EmptyState text={t('take.none')} />
          return filled.map(({ site, rooms: own }) => (
            <Check
              key={site.siteCode}
              label={t('take.site', { name: `${site.siteCode} ${site.siteName}`, rooms: own.length, seats: seatsOfRooms(own) })}
              on={chosen.has(site.siteCode)}
              onChange={toggle(site.siteCode)}
            />
          ))
        }}
      </Loaded>
    </ActionDialog>
  )
}

/** The rooms of one paper for others. */
export const CopyDialog = ({
  paper,
  others,
  onClose,
}: {
  readonly paper: RoomPaper
  readonly others: readonly RoomPaper[]
  readonly onClose: () => void
}) => {
  const t = useT(roomsPageTexts)
  const client = useQueryClient()
  const { chosen, toggle } = useChosen()
  const copy = async (): Promise<boolean> => {
    try {
      for (const other of others.filter(one => chosen.has(one.id))) await saveRooms(client, other, paper.rooms ?? [])
    } catch {
      return false // The api client has said why.
    }
    notify('success', t('done'))
    return true
  }
  return (
    <ActionDialog
      title={t('copy.title', { name: paper.itemName })}
      onClose={onClose}
      actions={others.length === 0 ? [] : [{ label: t('copy.add'), disabled: chosen.size === 0, run: copy }]}
    >
      {others.length === 0 ? <EmptyState text={t('copy.none')} /> : <p>{t('copy.lead')}</p>}
      {others.map(other => (
        <Check key={other.id} label={other.itemName} on={chosen.has(other.id)} onChange={toggle(other.id)} />
      ))}
    </ActionDialog>
  )
}
