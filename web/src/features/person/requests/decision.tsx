import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Subject } from '#contract/kernel/proposals.ts'
import { fieldTexts } from '#web/kernel/field-texts.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { ToldLines } from '#web/resource/told.tsx'
import { ActionDialog, type DialogAction } from '#web/ui/action-dialog.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { LabelledInput } from '#web/ui/labelled.tsx'
import { Loaded } from '#web/ui/states.tsx'
import type { Request, RequestTexts } from './request.ts'
import { twoPersonTexts } from './two-person-texts.ts'
import './requests.css'
import { useSaid } from '#web/kernel/said.ts'

interface Proof {
  readonly fileId: string
  readonly name: string
  readonly mime: string
  readonly link: string
}

/** Pictures as such, anything else by its name; each opens in a window of its own. */
export const ProofList = ({ proofs, openLabel }: { readonly proofs: readonly Proof[]; readonly openLabel: (name: string) => string }) => (
  <ul className="request-proofs">
    {proofs.map(({ fileId, link, name, mime }) => (
      <li key={fileId}>
        <a href={link} target="_blank" rel="noreferrer" aria-label={openLabel(name)}>
          {mime.startsWith('image/') ? <img src={link} alt="" /> : null}
          <span>{name}</span>
        </a>
      </li>
    ))}
  </ul>
)

/** One request beside what proves it, and the decision while it waits: a refusal needs a word. */
export const DecisionDialog = <Detail,>({
  texts,
  row,
  waits,
  lead,
  subject,
  facts,
  above,
  detail,
  decide,
  children,
  onClose,
  onDone,
}: {
  readonly texts: RequestTexts
  readonly row: Request
  readonly waits: boolean
  readonly lead: string
  /** Names the request to those who were told of it. */
  readonly subject: Subject
  /** Of the request; its reason, times and decision follow. */
  readonly facts: Parameters<typeof Facts>[0]['items']
  /** Stands above the detail while that loads. */
  readonly above?: ReactNode
  readonly detail: UseQueryResult<Detail>
  /** Sends the decision. @returns what is said when it is done */
  readonly decide: (isPassed: boolean, remark: string, document: string) => Promise<string>
  readonly children: (detail: Detail) => ReactNode
  readonly onClose: () => void
  readonly onDone: () => void
}) => {
  const t = useT(texts)
  const p = useT(twoPersonTexts)
  const [remark, setRemark] = useState('')
  const [document, setDocument] = useState('')
  const [wrong, setWrong] = useSaid<string | undefined>(undefined)
  const run = async (isPassed: boolean): Promise<boolean> => {
    const text = remark.trim()
    const isMissing = !isPassed && text === ''
    setWrong(isMissing ? t('dialog.remark.need') : undefined)
    if (isMissing) return false
    try {
      notify('success', await decide(isPassed, text, document.trim()))
      onDone()
      return true
    } catch (error) {
      setWrong(Object.values(fieldTexts(error))[0]) // Without fields the api client has said why.
      return false
    }
  }
  const actions: readonly DialogAction[] = [
    { label: t('dialog.refuse'), tone: 'danger', run: () => run(false) },
    // Only what was seen beside its proofs can be approved.
    { label: t('dialog.pass'), tone: 'primary', disabled: detail.data === undefined, run: () => run(true) },
  ]
  return (
    <ActionDialog
      title={t(waits ? 'dialog.title' : 'dialog.view')}
      size="two"
      {...(waits ? { actions, hasChanges: () => remark !== '' || document !== '' } : {})}
      onClose={onClose}
    >
      {waits ? <p className="dialog-lead">{lead}</p> : null}
      {waits ? (
        <p className="dialog-lead" role="status">
          {row.applyTime
            ? p('two.agreed', { name: row.firstUser ?? '', time: minuteOf(row.applyTime) })
            : row.firstUser
              ? p('two.first', { name: row.firstUser })
              : p('two.lead')}
        </p>
      ) : null}
      <Facts
        boxed
        items={[
          ...facts,
          { key: 'reason', label: t('list.reason'), value: row.reason },
          { key: 'time', label: t('list.createTime'), value: minuteOf(row.createTime) },
          ...(waits
            ? []
            : [
                { key: 'checkUser', label: t('list.checkUser'), value: row.checkUser },
                { key: 'checkTime', label: t('list.checkTime'), value: minuteOf(row.checkTime) },
                { key: 'remark', label: t('list.remark'), value: row.remark },
              ]),
        ]}
      />
      {waits ? <ToldLines of={subject} /> : null}
      {above}
      <Loaded query={detail} skeletonRows={3}>
        {children}
      </Loaded>
      {waits && !row.applyTime ? <LabelledInput label={p('two.document')} maxLength={200} value={document} onChange={setDocument} /> : null}
      {waits ? (
        <LabelledInput label={t('dialog.remark')} error={wrong} maxLength={200} rows={2} value={remark} onChange={setRemark} />
      ) : null}
    </ActionDialog>
  )
}
