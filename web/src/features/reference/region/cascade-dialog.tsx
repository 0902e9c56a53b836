import { useState } from 'react'
import { useT } from '#web/kernel/i18n/index.ts'
import { useCall } from '#web/kernel/query.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { LabelledSelect } from '#web/ui/labelled.tsx'
import { regionTexts } from './texts.ts'

interface Chosen {
  readonly code: string
  readonly name: string
}
/** From provinces down to villages. */
const levels = [1, 2, 3, 4, 5] as const

/** The regions below one of them, as forms ask for them; nothing where it has none. */
const Level = ({
  level,
  parentCode,
  chosen,
  onChoose,
}: {
  readonly level: (typeof levels)[number]
  readonly parentCode: string | undefined
  readonly chosen: string
  readonly onChoose: (region: Chosen | null) => void
}) => {
  const t = useT(regionTexts)
  const { data = [] } = useCall('GET /blade-system/region/select', parentCode === undefined ? {} : { code: parentCode })
  if (data.length === 0) return null
  return (
    <LabelledSelect
      label={t(`try.level.${level}`)}
      value={chosen}
      options={[{ value: '', label: t('try.none') }, ...data.map(({ code, name }) => ({ value: code, label: name }))]}
      onChange={value => onChoose(data.find(region => region.code === value) ?? null)}
    />
  )
}

/** Choosing from province to village as people do in forms, to see that the list is right (framework-contract 3.11). */
export const RegionCascade = ({ onClose }: { readonly onClose: () => void }) => {
  const t = useT(regionTexts)
  const [way, setWay] = useState<readonly Chosen[]>([])
  const last = way.at(-1)
  return (
    <ActionDialog title={t('try')} onClose={onClose}>
      <p>{t('try.lead')}</p>
      {levels
        .filter(level => level <= way.length + 1)
        .map(level => (
          <Level
            key={`${level} ${way[level - 2]?.code ?? ''}`}
            level={level}
            parentCode={way[level - 2]?.code}
            chosen={way[level - 1]?.code ?? ''}
            onChoose={region => setWay([...way.slice(0, level - 1), ...(region === null ? [] : [region])])}
          />
        ))}
      <p role="status">
        {last === undefined ? null : (
          <>
            {t('try.chosen')} <span lang="zh">{way.map(region => region.name).join(' ')}</span> {last.code}
          </>
        )}
      </p>
    </ActionDialog>
  )
}
