import type { Row } from '#web/resource/fields.ts'
import type { Values } from '#web/resource/schema-form.tsx'
import { confirm } from '#web/ui/dialog.tsx'

/** Asks before a post or a paper of an examination that charges for it is made free. @returns whether to save */
export const askFree = async (
  isCharged: boolean,
  row: Row | null,
  values: Values,
  words: { title: string; text: string; ok: string },
): Promise<boolean> => {
  const isFree = isCharged && 'feeFen' in values && Number(values['feeFen'] ?? 0) === 0
  const wasFree = row !== null && Number(row['feeFen'] ?? 0) === 0
  return !isFree || wasFree || (await confirm(words))
}
