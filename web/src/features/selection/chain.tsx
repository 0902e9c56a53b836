import { useQuery } from '@tanstack/react-query'
import { api } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { EmptyState, Loaded } from '#web/ui/states.tsx'
import { Timeline } from '#web/ui/timeline.tsx'
import { selectionTexts } from './texts.ts'
import './selection.css'

const bad = new Set([
  'declined',
  'lapsed',
  'refused',
  'gaveUp',
  'stepFailed',
  'recheckLapsed',
  'listEnded',
  'ticketsOut',
  'noSubstitution',
  'notChosen',
])
const good = new Set(['passed', 'stepPassed', 'hired', 'confirmed'])
const waits = new Set(['notProven', 'askedMore', 'stepFailing', 'recheckAsked', 'tied', 'objection', 'inCheck'])
const toneOf = (kind: string) => (bad.has(kind) ? 'refused' : good.has(kind) ? 'passed' : waits.has(kind) ? 'waiting' : 'draft')

/** Every step of an examination, a post or a person with its reason. */
export const Chain = ({ examId, code, signUpId }: { readonly examId: string; readonly code?: string; readonly signUpId?: string }) => {
  const t = useT(selectionTexts)
  const query = { examId, ...(code === undefined ? {} : { code }), ...(signUpId === undefined ? {} : { signUpId }) }
  const chain = useQuery({
    queryKey: ['selection-chain', query],
    queryFn: ({ signal }) => api.call('GET /blade-signup/selection/chain', query, { signal }),
  })
  return (
    <Loaded query={chain} skeletonRows={4}>
      {posts =>
        posts.length === 0 ? (
          <EmptyState text={t('sel.chain.empty')} />
        ) : (
          posts.map(post => (
            <section key={post.code} className="sel-post">
              {signUpId === undefined ? (
                <h3>
                  {post.code} {post.codeName} · {post.unitName}
                </h3>
              ) : null}
              <Timeline
                entries={post.steps.map(step => ({
                  key: step.id,
                  time: step.time,
                  tone: toneOf(step.kind),
                  title: (
                    <>
                      {step.name === null || signUpId !== undefined ? null : <b>{step.name} </b>}
                      {step.otherName === null ? null : <span className="sel-other">{t('sel.chain.for', { name: step.otherName })} </span>}
                      {step.text}
                    </>
                  ),
                  detail: <small>{t('sel.chain.by', { name: step.byName, stage: step.stageName })}</small>,
                }))}
              />
            </section>
          ))
        )
      }
    </Loaded>
  )
}

export const ChainDialog = ({ examId, onClose }: { readonly examId: string; readonly onClose: () => void }) => {
  const t = useT(selectionTexts)
  return (
    <ActionDialog title={t('sel.chain')} size="two" onClose={onClose}>
      <p>{t('sel.chain.lead')}</p>
      <Chain examId={examId} />
    </ActionDialog>
  )
}
