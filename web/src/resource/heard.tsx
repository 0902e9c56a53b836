import { useState } from 'react'
import { api } from '#web/kernel/api.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useSaid } from '#web/kernel/said.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { LabelledInput, LabelledSelect } from '#web/ui/labelled.tsx'
import { heardTexts } from './heard-texts.ts'

/** What a person answered to a proposal against them. */
export interface Heard {
  readonly statement: string | null
  readonly statementWay: number | null
  readonly statementTime: string | null
  readonly notedBy: string | null
  readonly confirmed: string | null
  readonly confirmedBy: string | null
  readonly statementFiles: readonly { readonly name: string; readonly link: string }[]
}

/** The answer, by whom it was written down, and whether it is the person's own. */
export const HeardText = ({ of }: { readonly of: Heard }) => {
  const t = useT(heardTexts)
  if (of.statement === null) return null
  const time = of.statementTime === null ? '' : minuteOf(of.statementTime)
  return (
    <>
      <span>
        {of.notedBy === null
          ? t('own', { time, text: of.statement })
          : t('shown', { name: of.notedBy, how: t(`way.${(of.statementWay ?? 1) as 1 | 2 | 3 | 4}`), time, text: of.statement })}
      </span>
      {of.notedBy === null ? null : (
        <span>
          {of.confirmed === 'code'
            ? t('confirmed.code')
            : of.confirmed === 'paper'
              ? t('confirmed.paper', { name: of.confirmedBy ?? '' })
              : t('unconfirmed')}
        </span>
      )}
      {of.statementFiles.map(file =>
        // Without a link for who may not see files of sign-ups.
        file.link === '' ? (
          <span key={file.name}>{file.name}</span>
        ) : (
          <a key={file.link} href={file.link} target="_blank" rel="noreferrer">
            {file.name}
          </a>
        ),
      )}
    </>
  )
}

interface Props {
  readonly base: '/blade-signup/integrity' | '/blade-signup/selection' | '/blade-signup/objection'
  readonly of: Heard & { readonly id: string }
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Staff note what the person said, or have what was noted confirmed. */
export const NoteDialog = ({ base, of, onClose, onDone }: Props) => {
  const t = useT(heardTexts)
  const [statement, setStatement] = useState('')
  const [way, setWay] = useState('')
  const [time, setTime] = useState('')
  const [code, setCode] = useState('')
  const [paper, setPaper] = useState('')
  const [wrong, setWrong] = useSaid('')
  const send = async (path: string, body: Record<string, unknown>, said: string): Promise<boolean> => {
    try {
      await api.request({ method: 'POST', path: `${base}/${path}`, body: async () => ({ id: of.id, ...body }) })
      notify('success', said)
      onDone()
      return true
    } catch {
      return false // The api client has said why.
    }
  }
  const note = async () => {
    const isMissing = statement.trim().length < 2 || way === '' || time === ''
    setWrong(isMissing ? t('missing') : '')
    if (isMissing) return false
    const said = { statement: statement.trim(), statementWay: Number(way), statementTime: `${time.replace('T', ' ')}:00` }
    return send('noteStatement', said, t('done'))
  }
  const confirm = async () => {
    const by = paper.trim().length >= 2 ? { paper: paper.trim() } : code.trim().length === 6 ? { code: code.trim() } : undefined
    setWrong(by === undefined ? t('confirmMissing') : '')
    return by === undefined ? false : send('confirmStatement', by, t('confirmed'))
  }
  const waits = of.notedBy !== null && of.confirmed === null
  return (
    <ActionDialog
      title={t('title')}
      actions={[
        ...(waits ? [{ label: t('confirm'), tone: 'primary' as const, run: confirm }] : []),
        { label: t('note'), tone: waits ? ('plain' as const) : ('primary' as const), run: note },
      ]}
      hasChanges={() => statement + way + time + code + paper !== ''}
      onClose={onClose}
    >
      <p>{t('lead')}</p>
      <p>
        <HeardText of={of} />
      </p>
      {waits ? (
        <>
          <LabelledInput label={t('code')} maxLength={6} value={code} onChange={setCode} />
          <LabelledInput label={t('paper')} maxLength={200} value={paper} onChange={setPaper} />
        </>
      ) : null}
      <LabelledInput label={t('text')} error={wrong || undefined} rows={3} maxLength={1000} value={statement} onChange={setStatement} />
      <LabelledSelect
        label={t('way')}
        value={way}
        options={[{ value: '', label: '-' }, ...([1, 2, 3] as const).map(one => ({ value: String(one), label: t(`way.${one}`) }))]}
        onChange={setWay}
      />
      <LabelledInput label={t('time')} type="datetime-local" value={time} onChange={setTime} />
    </ActionDialog>
  )
}
