import { useMemo } from 'react'
import { minuteOf, yuanOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import type { Column } from '#web/ui/data-table.tsx'
import { StatusTag, type Tone } from '#web/ui/status-tag.tsx'
import type { SamplePerson, SampleUnit } from './sample.ts'
import { kitTexts } from './texts.ts'

export const tones: readonly Tone[] = ['draft', 'waiting', 'active', 'passed', 'refused', 'closed']

export const usePeopleColumns = (): readonly Column<SamplePerson>[] => {
  const t = useT(kitTexts)
  return useMemo(
    () => [
      { key: 'name', title: t('name'), sortBy: 'name', width: 96, cell: row => row.name },
      { key: 'idCard', title: t('idCard'), cell: row => row.idCard, reveal: async row => row.fullIdCard },
      { key: 'post', title: t('post'), width: 180, cell: row => row.post },
      {
        key: 'state',
        title: t('state'),
        cell: row => <StatusTag tone={tones[row.state] ?? 'draft'} text={t(`tone.${row.state as 0 | 1 | 2 | 3 | 4 | 5}`)} />,
      },
      { key: 'score', title: t('score'), sortBy: 'score', align: 'right', cell: row => row.score },
      { key: 'amount', title: t('amount'), align: 'right', cell: row => yuanOf(row.amount) },
      { key: 'time', title: t('time'), sortBy: 'time', cell: row => minuteOf(row.time) },
      { key: 'remark', title: t('remark'), hidden: true, cell: row => row.remark },
    ],
    [t],
  )
}

export const useUnitColumns = (): readonly Column<SampleUnit>[] => {
  const t = useT(kitTexts)
  return useMemo(
    () => [
      { key: 'name', title: t('unitName'), cell: row => row.name },
      { key: 'code', title: t('code'), sortBy: 'code', cell: row => row.code },
      { key: 'people', title: t('count'), align: 'right', cell: row => row.people },
    ],
    [t],
  )
}
export const rowId = (row: { readonly id: string }): string => row.id
export const rowName = (row: { readonly name: string }): string => row.name
