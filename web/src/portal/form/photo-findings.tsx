import type { JudgedFinding } from '#contract/signup/photo.ts'
import { defineTexts, useLang, useT } from '#web/kernel/i18n/index.ts'
import { AlertIcon } from '../kit/icons.tsx'
import { CheckIcon } from '../kit/page-icons.tsx'

const texts = defineTexts(
  {
    'form.check.ok': '{name}：合格',
    'form.check.format': '文件格式',
    'form.check.bytes': '文件大小',
    'form.check.decode': '图片完整',
    'form.check.size': '像素尺寸',
    'form.check.ratio': '宽高比',
    'form.check.ground': '背景',
    'form.check.brightness': '亮度',
    'form.check.person': '是不是本人的正面照，机器不判断，由审核人员核对。',
  },
  {
    'form.check.ok': '{name}: fine',
    'form.check.format': 'File format',
    'form.check.bytes': 'File size',
    'form.check.decode': 'Complete picture',
    'form.check.size': 'Pixels',
    'form.check.ratio': 'Width to height',
    'form.check.ground': 'Background',
    'form.check.brightness': 'Brightness',
    'form.check.person': 'Whether it shows you, from the front, no machine judges: a reviewer looks.',
  },
)

/** What is looked at on a portrait. */
const names = {
  format: 'form.check.format',
  bytes: 'form.check.bytes',
  decode: 'form.check.decode',
  size: 'form.check.size',
  ratio: 'form.check.ratio',
  ground: 'form.check.ground',
  brightness: 'form.check.brightness',
} as const

/** What these found says something to a candidate. */
const measured = new Set(['size', 'ratio'])
/** Said of a file only where it is wrong: what it may be stands above. */
const plain = new Set(['format', 'bytes', 'decode'])
const marks = { ok: 'ok', reviewer: 'warn', refused: 'no' } as const

/** What was found on a photo, line by line: good, for a reviewer, or refused with the reason. */
export const FindingLines = ({ findings }: { readonly findings: readonly JudgedFinding[] }) => {
  const t = useT(texts)
  const lang = useLang()
  const textOf = ({ rule, got, message }: JudgedFinding): string => {
    if (message !== undefined) return message[lang]
    if (!(rule in names)) return got
    const measure = !(/\d/.test(got) && measured.has(rule)) ? '' : ` (${got})`
    return `${t('form.check.ok', { name: t(names[rule as keyof typeof names]) })}${measure}`
  }
  const shown = findings.filter(({ rule, verdict }) => verdict !== 'ok' || !plain.has(rule))
  return (
    <>
      {shown.map(finding => (
        <li key={finding.rule} className={`p-finding is-${marks[finding.verdict]}`}>
          {finding.verdict === 'ok' ? <CheckIcon size={18} /> : <AlertIcon size={18} />}
          <span>{textOf(finding)}</span>
        </li>
      ))}
      {shown.length > 0 && <li className="p-help">{t('form.check.person')}</li>}
    </>
  )
}
