import { useMemo, useState } from 'react'
import type { ExamineInfo } from '../show.ts'
import { type FileSlot, slotsOf } from './files-pane.tsx'

/** The files of a sign-up and the one that is looked at; a changed one first. */
export const useSlots = ({ signup, fileLabels, changedFiles }: ExamineInfo) => {
  const [chosenId, choose] = useState<string | null>(null)
  const slots = useMemo(() => slotsOf(signup.files, fileLabels), [signup.files, fileLabels])
  const firstChanged = slots.find(slot => changedFiles.includes(slot.fileKey))
  const chosen: FileSlot | null = slots.find(slot => slot.id === chosenId) ?? firstChanged ?? slots[0] ?? null
  const step = (by: 1 | -1) => {
    const at = slots.findIndex(slot => slot.id === chosen?.id)
    const next = slots[Math.min(slots.length - 1, Math.max(0, at + by))]
    if (next !== undefined) choose(next.id)
  }
  return { slots, chosen, choose, step }
}
