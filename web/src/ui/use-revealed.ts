import { useState } from 'react'
import type { Column } from './columns.ts'

/** Whole values that a person asked for, by row and column. */
export const useRevealed = <Row>(columns: readonly Column<Row>[]) => {
  const [revealed, setRevealed] = useState<ReadonlyMap<string, Readonly<Record<string, string>>>>(new Map())
  const put = (id: string, key: string, text: string | undefined) =>
    setRevealed(before => {
      const { [key]: _former, ...rest } = before.get(id) ?? {}
      return new Map(before).set(id, text === undefined ? rest : { ...rest, [key]: text })
    })
  const toggle = async (id: string, row: Row, key: string) => {
    if (revealed.get(id)?.[key] !== undefined) return put(id, key, undefined)
    try {
      const text = await columns.find(column => column.key === key)?.reveal?.(row)
      if (text !== undefined) put(id, key, text)
    } catch {
      // The api client has said why: no right, or asked too often.
    }
  }
  return { revealed, toggle }
}
