import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { callMachine, recheckMachine } from '#contract/selection/selection.state.ts'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { useCan } from '#web/kernel/permission.ts'
import { NavLink } from '#web/shell/nav-link.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { StateTag, useStateWord } from '#web/ui/state-tag.tsx'
import { Loaded } from '#web/ui/states.tsx'
import { StatusTag } from '#web/ui/status-tag.tsx'
import { Chain } from '../chain.tsx'
import { sinceCall } from '../since-call.ts'
import { selectionTexts } from '../texts.ts'
import type { Result } from './decide-dialog.tsx'

const ContactDialog = lazy(async () => ({ default: (await import('../contact-dialog.tsx')).ContactDialog }))

type Info = ApiOutput<'GET /blade-signup/selection/recheckInfo'>
const results = [1, 2, 3, 4] as const
type Known = 1 | 2 | 3 | 4

const Papers = ({ info }: { readonly info: Info }) => {
  const t = useT(selectionTexts)
  return (
    <section>
      <h3>{t('recheck.papers')}</h3>
      {info.files.length === 0 ? <p>{t('recheck.papers.none')}</p> : null}
      <ul className="sel-lines">
        {info.files.map(file => (
          <li key={file.fileKey}>
            <span>
              {file.fileLabel}
              {file.required === 1 ? ` (${t('recheck.required')})` : ''}
            </span>
            {file.uploads.length === 0 ? <StatusTag tone="waiting" text={t('recheck.papers.missing')} /> : null}
            {file.uploads.map(one => (
              <a key={one.fileId} href={one.link} target="_blank" rel="noreferrer">
                {one.name}
              </a>
            ))}
          </li>
        ))}
      </ul>
      {info.advisements.length === 0 ? null : (
        <>
          <p>{t('recheck.asked')}</p>
          <ul>
            {info.advisements.map(advice => (
              <li key={advice.advice}>{advice.advice}</li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

const Calls = ({ info, onContact }: { readonly info: Info; readonly onContact: ((callId: string) => void) | undefined }) => {
  const t = useT(selectionTexts)
  return (
    <section>
      <h3>{t('recheck.calls')}</h3>
      <ul className="sel-lines">
        {info.calls.map(call => (
          <li key={call.id}>
            <b>{t(`recheck.call.kind.${call.kind as 1 | 2}`)}</b>
            <StateTag of={callMachine} wire={call.state} />
            <span>{t('recheck.call.until', { time: call.deadline.slice(0, 16) })}</span>
            <span>
              {call.receiptTime === null ? t('recheck.call.noReceipt') : t('recheck.call.receipt', { time: call.receiptTime.slice(0, 16) })}
            </span>
            <span>{call.sms === null ? t('recheck.call.sms.none') : t(`recheck.call.sms.${call.sms as 0 | 1 | 2}`)}</span>
            <StatusTag tone={call.proven ? 'passed' : 'waiting'} text={t(call.proven ? 'recheck.call.proven' : 'recheck.call.unproven')} />
            {call.contacts.map(contact => (
              <span key={contact.time}>
                {t('contact.line', {
                  outcome: t(`contact.${contact.outcome as Known}`),
                  name: contact.byName,
                  time: contact.time.slice(0, 16),
                })}
              </span>
            ))}
            {call.state === 0 && onContact !== undefined ? (
              <button type="button" className="button button-small" onClick={() => onContact(call.id)}>
                {t('contact.add')}
              </button>
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** One person of the re-review: papers, proof of notice, what was decided before, and the decision. */
export const Person = ({
  examId,
  signUpId,
  onDecide,
  onChanged,
}: {
  readonly examId: string
  readonly signUpId: string
  readonly onDecide: (result: Result, person: { readonly signupId: string; readonly name: string }) => void
  readonly onChanged: () => void
}) => {
  const t = useT(selectionTexts)
  const stateWord = useStateWord()
  const can = useCan()
  const [calling, setCalling] = useState<string | null>(null)
  const info = useQuery({
    queryKey: ['recheck-info', signUpId],
    queryFn: ({ signal }) => api.call('GET /blade-signup/selection/recheckInfo', { signUpId }, { signal }),
  })
  return (
    <div className="card">
      <Loaded query={info} skeletonRows={6}>
        {of => (
          <div className="sel-person">
            <h2>{of.name}</h2>
            <Facts
              items={[
                { key: 'post', label: t('sel.post'), value: `${of.code ?? ''} ${of.codeName ?? ''}` },
                { key: 'unit', label: t('sel.unit'), value: of.unitName },
                { key: 'rank', label: t('sel.rank'), value: sinceCall(t, of.rank, of.calledRank) },
                { key: 'score', label: t('sel.score'), value: sinceCall(t, of.score, of.calledScore) },
                { key: 'state', label: t('recheck.state'), value: stateWord(recheckMachine, of.reviewState) },
                { key: 'remark', label: t('sel.remark'), value: of.reviewRemark },
              ]}
            />
            {of.off === 1 ? <p role="note">{t('recheck.off')}</p> : null}
            {of.mayDecide ? (
              <div className="sel-bar">
                {results.map(result => (
                  <button
                    key={result}
                    type="button"
                    className={`button ${result === 1 ? 'button-primary' : result > 2 ? 'button-danger' : ''}`}
                    aria-keyshortcuts={String(result)}
                    disabled={of.reviewState === 2 ? result !== 4 : of.reviewState === 5 && result < 3}
                    onClick={() => onDecide(result, of)}
                  >
                    {result} {t(`decide.${result}`)}
                  </button>
                ))}
              </div>
            ) : (
              <p role="note">{of.refusal}</p>
            )}
            {/* Objections and what becomes of them stand on the page of the sign-up. */}
            {of.reviewState === 3 ? (
              <p>
                <NavLink to={`/examine/signup/${of.signupId}`}>{t('recheck.objection')}</NavLink>
              </p>
            ) : null}
            <Papers info={of} />
            <Calls info={of} onContact={can('recheck_decide') ? setCalling : undefined} />
            {of.records.length === 0 ? null : (
              <section>
                <h3>{t('recheck.records')}</h3>
                <ul className="sel-lines">
                  {of.records.map(record => (
                    <li key={`${record.level}${record.time}`}>
                      <span>{t(`level.${record.level as Known}`)}</span>
                      <b>{t(`result.${record.result as Known}`)}</b>
                      <span>{record.examinerName}</span>
                      <time>{record.time.slice(0, 16)}</time>
                      {record.remark === null ? null : <span>{record.remark}</span>}
                    </li>
                  ))}
                </ul>
              </section>
            )}
            <section>
              <h3>{t('sel.chain')}</h3>
              <Chain examId={examId} signUpId={signUpId} />
            </section>
            {calling === null ? null : (
              <Suspense>
                <ContactDialog
                  callId={calling}
                  name={of.name}
                  onClose={() => setCalling(null)}
                  onDone={() => {
                    void info.refetch()
                    onChanged()
                  }}
                />
              </Suspense>
            )}
          </div>
        )}
      </Loaded>
    </div>
  )
}
