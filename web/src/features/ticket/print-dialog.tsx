import { useState } from 'react'
import { useT } from '#web/kernel/i18n/index.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { LabelledSelect } from '#web/ui/labelled.tsx'
import { type Layout, layouts, type PaperRow, printTickets } from './calls.ts'
import { firstLayout, type RoomToPrint, wishOf } from './room-print.ts'
import { ticketTexts } from './texts.ts'

/** What to print of a paper, or of one of its rooms: the sheets of the rooms, or tickets. */
export const PrintDialog = ({
  examId,
  paper,
  room = null,
  onClose,
}: {
  readonly examId: string
  readonly paper: Pick<PaperRow, 'itemId' | 'itemName' | 'itemType'>
  readonly room?: RoomToPrint | null
  readonly onClose: () => void
}) => {
  const t = useT(ticketTexts)
  const [layout, setLayout] = useState<Layout>(firstLayout(room))
  const run = async (): Promise<boolean> => {
    await printTickets(wishOf(examId, paper, layout, room))
    return true
  }
  return (
    <ActionDialog
      title={[t('ticket.print'), paper.itemName, ...(room === null ? [] : [t('print.room', { room: room.roomNo })])].join(' · ')}
      actions={[{ label: t('ticket.print'), run }]}
      onClose={onClose}
    >
      <LabelledSelect
        label={t('print.layout')}
        value={layout}
        options={layouts.map(one => ({ value: one, label: t(`print.${one}`) }))}
        onChange={setLayout}
      />
      <p className="dialog-lead">{t('print.note')}</p>
    </ActionDialog>
  )
}
