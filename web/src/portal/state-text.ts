import { useT } from '#web/kernel/i18n/index.ts'
import { portalTexts } from './texts.ts'
import { zh } from './zh.ts'

type Key = keyof typeof zh

/** Words for the numbers of the wire, as a candidate reads them (domain 4.2: a reviewer's two levels are one "under review"). */
export const useStateText = () => {
  const t = useT(portalTexts)
  const of = (prefix: string, value: string | number): string => {
    const key = `${prefix}.${value}`
    return key in zh ? (t as (key: Key) => string)(key as Key) : ''
  }
  return {
    phase: (phase: string) => of('phase', phase),
    examType: (type: number) => of('examType', type),
    examine: (state: number) => of('examine', state),
  }
}
