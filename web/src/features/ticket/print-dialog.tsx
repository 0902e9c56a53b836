import { useState } from 'react'
import { useT } from '#web/kernel/i18n/index.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { LabelledSelect } from '#web/ui/labelled.tsx'
import { type Layout, layouts, type PaperRow, printTickets } from './calls.ts'
import { interview } from './fitting.ts'
import { ticketTexts } from './texts.ts'

/** What to print of a paper: its tickets, or the sheets of its rooms. */
export const PrintDialog = ({
  examId,
  paper,
  onClose,
}: {
  readonly examId: string
  readonly paper: PaperRow
  readonly onClose: () => void
}) => {
  const t = useT(ticketTexts)
  const [layout, setLayout] = useState<Layout>('ticket')
  const run = async (): Promise<boolean> => {
    await printTickets({ examId, itemId: paper.itemId, type: paper.itemType === interview ? 2 : 1, layout })
    return true
  }
  return (
    <ActionDialog title={`${t('ticket.print')} · ${paper.itemName}`} actions={[{ label: t('ticket.print'), run }]} onClose={onClose}>
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
