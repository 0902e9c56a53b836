import { useEffect, useState } from 'react'
import { postPart } from '#contract/signup/draft-merge.ts'
import { type ApiInput, type ApiOutput, api } from '#web/kernel/api.ts'
import { defineTexts, useLang, useT } from '#web/kernel/i18n/index.ts'
import { RichText } from '#web/kernel/rich-text.tsx'
import { Failed } from '../kit/load.tsx'
import { Button, Skeleton } from '../kit/ui.tsx'
import './paper.css'

type Input = ApiInput<'POST /blade-signup/signup/formSheet'>
type Sheet = ApiOutput<'POST /blade-signup/signup/formSheet'>
type Block = Sheet['blocks'][number]

const texts = defineTexts(
  { edit: '修改', photo: '证件照', signature: '本人签名', scroll: '{title}（可左右滑动）' },
  { edit: 'Change', photo: 'Photo', signature: 'Signature', scroll: '{title} (scrolls sideways)' },
)

/** Asks anew whenever something else is to be printed, and when a lost network is back. */
const useSheet = (input: Input) => {
  const lang = useLang()
  const asked = `${lang} ${JSON.stringify(input)}`
  const [sheet, setSheet] = useState<Sheet | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [tries, setTries] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the input is known by its text
  useEffect(() => {
    let isGone = false
    setError(null)
    api.call('POST /blade-signup/signup/formSheet', input, { quiet: true }).then(
      found => isGone || setSheet(found),
      failed => isGone || setError(failed),
    )
    return () => {
      isGone = true
    }
  }, [asked, tries])
  const again = () => setTries(count => count + 1)
  useEffect(() => {
    if (error === null) return
    addEventListener('online', again)
    return () => removeEventListener('online', again)
  })
  return { sheet, error, again }
}

const Pairs = ({ pairs }: Extract<Block, { kind: 'pairs' }>) => (
  <dl className="p-paper-pairs">
    {pairs.map(({ label, value, isWide }, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: two fields may have the same name, and none moves
      <div key={at} className={isWide ? 'is-wide' : undefined}>
        <dt>{label}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)

const Table = ({ title, heads, rows }: Extract<Block, { kind: 'table' }>) => {
  const t = useT(texts)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls must be reachable by keyboard
    <section className="p-paper-table" tabIndex={0} aria-label={t('scroll', { title })}>
      <table>
        <thead>
          <tr>
            {heads.map(head => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {(rows.length > 0 ? rows : [heads.map(() => '')]).map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows are alike and none moves
            <tr key={at}>
              {row.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a cell is known by its column
                <td key={column}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const Signed = ({
  signLabel,
  name,
  signature,
  dateLabel,
  date,
}: {
  readonly signLabel: string
  readonly name?: string
  readonly signature?: string | null
  readonly dateLabel: string
  readonly date: string
}) => {
  const t = useT(texts)
  return (
    <p className="p-paper-signed">
      <span>
        {signLabel}
        {signature ? <img src={signature} alt={t('signature')} /> : name}
      </span>
      <span>
        {dateLabel}
        {date}
      </span>
    </p>
  )
}

/**
 * The registration form as it is printed, on a screen of any width: the server's own texts in the order of the sheet.
 * @param onEdit - leads to where a block is filled in
 */
export const Paper = ({ input, onEdit }: { readonly input: Input; readonly onEdit?: (step: 1 | 2, field?: string) => void }) => {
  const t = useT(texts)
  const { sheet, error, again } = useSheet(input)
  if (error !== null) return <Failed error={error} onRetry={again} />
  if (sheet === null) return <Skeleton rows={[420]} />
  const { undertaking } = sheet
  return (
    <article className="p-paper" aria-label={sheet.title.replaceAll(' ', '')}>
      <header>
        {sheet.mark !== null && <p className="p-paper-mark">{sheet.mark}</p>}
        <p className="p-strong">{sheet.examName}</p>
        <p className="p-paper-title">{sheet.title}</p>
        <p className="p-paper-signed">
          <span>
            {sheet.numberLabel}
            {sheet.signNo}
          </span>
          <span>{sheet.dateText}</span>
        </p>
      </header>
      {sheet.blocks.map((block, at) => (
        <section key={block.field} className="p-paper-block">
          <div className="p-paper-head">
            <h3>{block.title}</h3>
            {onEdit && (
              <Button look="text" onClick={() => (block.field === postPart ? onEdit(1) : onEdit(2, block.field))}>
                {t('edit')}
                <span className="p-hidden">{block.title}</span>
              </Button>
            )}
          </div>
          {block.kind === 'table' ? (
            <Table {...block} />
          ) : at > 0 ? (
            <Pairs {...block} />
          ) : (
            <div className="p-paper-first">
              <Pairs {...block} />
              <div className="p-paper-photo">{sheet.photo === null ? sheet.photoLabel : <img src={sheet.photo} alt={t('photo')} />}</div>
            </div>
          )}
        </section>
      ))}
      <section className="p-paper-block">
        <h3 className="p-paper-head">{undertaking.title}</h3>
        <div className="p-paper-text">{/<[a-z]/i.test(undertaking.text) ? <RichText html={undertaking.text} /> : undertaking.text}</div>
        <Signed {...undertaking} />
      </section>
      {sheet.opinions.map(opinion => (
        <section key={opinion.title} className="p-paper-block">
          <h3 className="p-paper-head">{opinion.title}</h3>
          {opinion.text !== '' && <div className="p-paper-text">{opinion.text}</div>}
          <Signed {...opinion} />
        </section>
      ))}
    </article>
  )
}
